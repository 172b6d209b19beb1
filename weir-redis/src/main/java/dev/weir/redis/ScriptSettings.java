package dev.weir.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Settings of a store that all its scripts need.
 *
 * @param time returns the time argument of scripts, see {@link PackedRequests#SERVER_TIME}
 * @param timeoutNanos how long a script may take
 * @param maxInFlight the largest number of calls that are in flight at a time
 */
record ScriptSettings(Supplier<byte[]> time, long timeoutNanos, int maxInFlight) {
    private static final long MIN_LATE_NANOS =
            TimeUnit.MILLISECONDS.toNanos(100); // the usual period of a container's limit

    /** Returns how long the I/O thread may be late to read a reply: a container's limit may stop it while other threads run. */
    long lateNanos() {
        return Math.max(MIN_LATE_NANOS, timeoutNanos);
    }
}
