package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A source of time. A store reads it once a decision, from any thread and without holding a lock. A clock should never
 * step back; a store survives one that does: nothing is admitted early and nobody is blocked for long.
 */
@FunctionalInterface
public interface Clock {

    /** The time in nanoseconds since the epoch. */
    long nanos();

    /** A future that completes when that many nanoseconds have passed on this clock: by default, of real time. */
    default CompletableFuture<Void> after(long nanos) {
        return new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
    }

    /** The epoch read once plus the JVM's monotonic time: it never steps, whatever is done to the wall clock. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
