package dev.weir.server.config;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at files again and again, so that edits, files that come and go, and links that point elsewhere are noticed on any file
 * system. Has one thread.
 */
public final class FileWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final long INTERVAL_MILLIS = 300;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "weir-files");
        daemon.setDaemon(true);
        return daemon;
    });

    /** Starts to watch. */
    public void start(List<Runnable> looks) {
        for (Runnable look : looks) {
            var unused = thread.scheduleWithFixedDelay(
                    () -> look(look), INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static void look(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) { // else the executor would stop watching
            LOG.log(Level.ERROR, "the files could not be looked at", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
