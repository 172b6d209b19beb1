package dev.weir.spring.internal;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Logs failures that may happen in every request, at most one a minute. Thread-safe. */
public final class RareLog {
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong nextAt = new AtomicLong(System.nanoTime());

    /** Creates a log that has logged nothing. */
    public RareLog() {}

    /** Logs a failure, unless one was logged within the last minute. */
    public void warn(String message, Throwable failure) {
        long now = System.nanoTime();
        long due = nextAt.get();
        if (now - due >= 0 && nextAt.compareAndSet(due, now + INTERVAL_NANOS)) {
            System.getLogger("dev.weir.spring")
                    .log(Level.WARNING, message + "; further failures are not logged for a minute", failure);
        }
    }
}
