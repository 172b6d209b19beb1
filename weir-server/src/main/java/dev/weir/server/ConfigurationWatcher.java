package dev.weir.server;

import dev.weir.store.Store;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Puts changed configuration files in force, within a second. It reads them again and again, so it notices edits, files that
 * come and go, and links that point elsewhere, on any file system. Files must be the same twice, so that none is read while it is
 * being written. Those with problems change nothing but what {@link LiveConfiguration#problems} says. Has one thread of its own.
 */
final class ConfigurationWatcher implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final long INTERVAL_MILLIS = 300;

    private final ConfigurationSource source;
    private final Store store;
    private final LiveConfiguration live;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "weir-configuration");
        daemon.setDaemon(true);
        return daemon;
    });
    private Seen inForce;
    private Seen before;

    /** The texts of the files, or why they could not be read. */
    private record Seen(Map<String, String> texts, List<Problem> problems) {}

    /**
     * Creates a watcher.
     *
     * @param texts the files that are in force
     */
    ConfigurationWatcher(ConfigurationSource source, Map<String, String> texts, Store store, LiveConfiguration live) {
        this.source = source;
        this.inForce = new Seen(texts, List.of());
        this.before = inForce;
        this.store = store;
        this.live = live;
    }

    /** Starts to watch. */
    void start() {
        var unused = thread.scheduleWithFixedDelay(this::look, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            Seen now = read();
            if (!now.equals(inForce) && now.equals(before)) {
                inForce = now;
                apply(now);
            }
            before = now;
        } catch (RuntimeException e) { // else the executor would stop watching
            LOG.log(Level.ERROR, "the configuration could not be looked at", e);
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

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
