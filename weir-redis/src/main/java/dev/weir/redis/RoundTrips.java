package dev.weir.redis;

import dev.weir.store.StoreStatistics;
import java.util.concurrent.TimeUnit;

/**
 * The times of round trips: the fastest of batches that were sent alone, which did not wait for others on the server, in the last one
 * to two seconds in which there were any; the longest of the last one to two minutes; and their sums. While batches are in flight
 * together, the time between their answers is what the server needs for each; when they are sent alone, that estimate decreases, so
 * that more are tried. Of the timeout, an eighth is for batches that wait on the server, and another one for pauses. Not thread-safe.
 */
final class RoundTrips {
    private static final long MAX_BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int BACKLOGS_PER_TIMEOUT = 8;
    private static final double MAX_LEAD = 0.75; // of the timeout
    private static final double WEIGHT_OF_LATEST = 0.125;
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final long timeoutNanos;
    private final long backlogNanos;
    private final Extreme fastest = new Extreme(TimeUnit.SECONDS.toNanos(1));
    private final Extreme longest = new Extreme(TimeUnit.MINUTES.toNanos(1)); // of negative times
    private long count;
    private long nanos;
    private long requests;
    private long latestAt; // when the latest answer arrived
    private double intervalNanos; // between answers, on average

    RoundTrips(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        this.backlogNanos = timeoutNanos / BACKLOGS_PER_TIMEOUT;
        this.latestAt = System.nanoTime() - timeoutNanos;
    }

    /**
     * Records a round trip of a number of requests.
     *
     * @param alone whether nothing else was in flight when they were sent
     */
    void record(long nanos, int requests, boolean alone, long now) {
        if (alone && nanos < timeoutNanos) {
            fastest.record(nanos, now);
        }
        long most = (long) (2 * intervalNanos) + STEP_NANOS; // a pause of a machine is not the pace of the server
        long interval = alone ? 0 : Math.min(most, Math.min(nanos, now - latestAt));
        intervalNanos += WEIGHT_OF_LATEST * (interval - intervalNanos);
        longest.record(-nanos, now);
        this.count++;
        this.nanos += nanos;
        this.requests += requests;
        latestAt = now;
    }

    /** Returns how long a round trip takes while more may be sent: not long, since others than this process wait for the server. */
    long expectedNanos() {
        return fastest.get() + Math.min(MAX_BACKLOG_NANOS, 2 * backlogNanos);
    }

    /** Whether the server answers this many batches, which are in flight at a time, before it is too far behind. */
    boolean keepsUpWith(int batches) {
        return batches * intervalNanos <= fastest.get() + backlogNanos;
    }

    /** Returns how long before its deadline a request must be sent; in the first quarter of its time it may always be sent. */
    long leadNanos() {
        return Math.min(fastest.get() + 2 * backlogNanos, (long) (MAX_LEAD * timeoutNanos));
    }

    /** Whether an answer arrived within the last timeout, so that what is not sent waits for other requests. */
    boolean isServerAnswering(long now) {
        return now - latestAt < timeoutNanos;
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
