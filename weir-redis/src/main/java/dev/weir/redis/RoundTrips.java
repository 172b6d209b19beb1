package dev.weir.redis;

import dev.weir.store.StoreStatistics;
import java.util.concurrent.TimeUnit;

/**
 * The times of round trips: the fastest of the last one to two seconds, which is the delay of the network, the longest of the last
 * one to two minutes, and their sums. Not thread-safe.
 */
final class RoundTrips {
    private final Extreme fastest = new Extreme(TimeUnit.SECONDS.toNanos(1));
    private final Extreme longest = new Extreme(TimeUnit.MINUTES.toNanos(1)); // of negative times
    private long count;
    private long nanos;
    private long requests;

    /** Records a round trip of a number of requests. */
    void record(long nanos, int requests, long now) {
        fastest.record(nanos, now);
        longest.record(-nanos, now);
        this.count++;
        this.nanos += nanos;
        this.requests += requests;
    }

    /** Returns the fastest round trip; zero if there was none. */
    long fastestNanos() {
        return fastest.get();
    }

    /** Returns the sums. */
    StoreStatistics statistics(long now) {
        longest.turn(now);
        return StoreStatistics.NONE.withRoundTrips(count, nanos, -longest.get(), requests);
    }

    /** The least value of this period and the one before. */
    private static final class Extreme {
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
}
