package dev.weir.server;

import dev.weir.store.Store;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;

/**
 * Puts changed configuration files in force. Those with problems change nothing but what {@link LiveConfiguration#problems} says.
 * Used by the thread of {@link FileWatch}.
 */
final class ConfigurationWatcher {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    private final ConfigurationSource source;
    private final Store store;
    private final LiveConfiguration live;
    private final Settled<Seen> files;

    /** The texts of the files, or why they could not be read. */
    private record Seen(Map<String, String> texts, List<Problem> problems) {}

    /**
     * Creates a watcher.
     *
     * @param texts the files that are in force
     */
    ConfigurationWatcher(ConfigurationSource source, Map<String, String> texts, Store store, LiveConfiguration live) {
        this.source = source;
        this.files = new Settled<>(new Seen(texts, List.of()));
        this.store = store;
        this.live = live;
    }

    /** Looks at the files once. */
    void look() {
        Seen now = read();
        if (files.isNew(now)) {
            apply(now);
        }
    }

    private Seen read() {
        try {
            return new Seen(source.texts(), List.of());
        } catch (ConfigurationException unreadable) {
            return new Seen(Map.of(), unreadable.problems());
        }
    }

    private void apply(Seen files) {
        try {
            if (files.problems.isEmpty()) {
                live.replace(source.read(files.texts, store), files.texts);
                LOG.log(Level.INFO, "the changed configuration is in force");
            } else {
                reject(files.problems);
            }
        } catch (ConfigurationException e) {
            reject(e.problems());
        }
    }

    private void reject(List<Problem> problems) {
        live.reject(problems);
        for (Problem problem : problems) {
            String text = problem.toString().replaceAll("\\p{Cntrl}", "?");
            LOG.log(Level.WARNING, "the configuration stays as it was: " + text);
        }
    }
}
