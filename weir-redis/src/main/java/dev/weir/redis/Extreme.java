package dev.weir.redis;

/** The least value of this period and the one before. Not thread-safe. */
final class Extreme {
    private final long periodNanos;
    private long least = Long.MAX_VALUE; // in this period
    private long leastBefore = Long.MAX_VALUE; // in the period before
    private long periodBegan = System.nanoTime();

    Extreme(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    void record(long value, long now) {
        turn(now);
        least = Math.min(least, value);
    }

    /** Begins a new period if this one is over. */
    void turn(long now) {
        if (now - periodBegan > periodNanos) {
            leastBefore = least;
            least = Long.MAX_VALUE;
            periodBegan = now;
        }
    }

    /** Returns the least value; zero if there was none. */
    long get() {
        long value = Math.min(least, leastBefore);
        return value == Long.MAX_VALUE ? 0 : value;
    }
}
