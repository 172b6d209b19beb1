package dev.weir.server.config;

import java.lang.System.Logger.Level;

/**
 * A task that an executor repeats. It never throws, since the executor would not run it again; the log has the first of successive
 * failures. Used by one thread.
 */
public final class Repeated implements Runnable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    private final String failure;
    private final Runnable task;
    private boolean failed;

    /**
     * Creates a task.
     *
     * @param failure what the log says if the task fails
     * @param task what is done; may throw anything
     */
    public Repeated(String failure, Runnable task) {
        this.failure = failure;
        this.task = task;
    }

    @Override
    public void run() {
        try {
            runAndLog();
        } catch (OutOfMemoryError noMemory) {
            // there is none for the log either; it has the next failure
        }
    }

    private void runAndLog() {
        try {
            task.run();
            failed = false;
        } catch (RuntimeException | Error e) {
            if (!failed) {
                LOG.log(Level.ERROR, failure, e);
                failed = true;
            }
        }
    }
}
