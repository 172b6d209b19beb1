package dev.weir.server.config;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at files again and again, so that edits, files that come and go, and links that point elsewhere are noticed on any file
 * system. Has one thread.
 */
public final class FileWatch implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 300;

    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("weir-files", true));

    /** Starts to look at files. */
    public void start(Runnable look) {
        var unused = thread.scheduleWithFixedDelay(
                new Repeated("the files could not be looked at", look),
                INTERVAL_MILLIS,
                INTERVAL_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
