package dev.weir.redis;

import java.util.concurrent.TimeUnit;

/** The fastest round trip of the last one to two seconds, which is the delay of the network. Not thread-safe. */
final class RoundTrips {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long fastestNanos = Long.MAX_VALUE; // in this period
    private long fastestBeforeNanos = Long.MAX_VALUE; // in the period before
    private long periodBegan = System.nanoTime();

    /** Records a round trip. */
    void record(long nanos, long now) {
        if (now - periodBegan > PERIOD_NANOS) {
            fastestBeforeNanos = fastestNanos;
            fastestNanos = Long.MAX_VALUE;
            periodBegan = now;
        }
        fastestNanos = Math.min(fastestNanos, nanos);
    }

    /** Returns the fastest round trip; zero if there was none. */
    long fastestNanos() {
        long fastest = Math.min(fastestNanos, fastestBeforeNanos);
        return fastest == Long.MAX_VALUE ? 0 : fastest;
    }
}
