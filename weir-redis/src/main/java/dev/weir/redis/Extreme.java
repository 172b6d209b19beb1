package dev.weir.redis;

/** The least value of this period and the one before; times are not negative. Not thread-safe. */
final class Extreme {
    private final long periodNanos;
    private long least = Long.MAX_VALUE; // in this period
    private long leastBefore = Long.MAX_VALUE; // in the period before
    private long periodBegan;

    Extreme(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    void record(long value, long now) {
        turn(now);
        least = Math.min(least, value);
    }

    /** Begins the period of an instant; periods are equally long, whether there are values or not. */
    void turn(long now) {
        long over = (now - periodBegan) / periodNanos;
        if (over > 0) {
            leastBefore = over == 1 ? least : Long.MAX_VALUE;
            least = Long.MAX_VALUE;
            periodBegan += over * periodNanos;
        }
    }

    /** Returns the least value; zero if there was none. */
    long get() {
        long value = Math.min(least, leastBefore);
        return value == Long.MAX_VALUE ? 0 : value;
    }
}
