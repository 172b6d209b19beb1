package dev.weir.internal;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Logs warnings that every request may cause, at most one a minute; others are dropped. Thread-safe. */
public final class OccasionalLog {
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String logger;
    private final AtomicLong nextAt = new AtomicLong(System.nanoTime());

    public OccasionalLog(String logger) {
        this.logger = logger;
    }

    /** Logs a warning, unless one was logged within the last minute. */
    public void warn(String message, @Nullable Throwable cause) {
        long now = System.nanoTime();
        long due = nextAt.get();
        if (now - due >= 0 && nextAt.compareAndSet(due, now + INTERVAL_NANOS)) {
            System.getLogger(logger)
                    .log(Level.WARNING, message + "; similar warnings are not logged for a minute", cause);
        }
    }
}
