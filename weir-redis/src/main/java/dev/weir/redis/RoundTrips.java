package dev.weir.redis;

import dev.weir.store.StoreStatistics;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The times of round trips: the fastest of batches that were sent alone, which did not wait for others on the server, in the last one
 * to two seconds in which there were any; the longest of the last one to two minutes; and their sums. They tell how many batches the
 * server keeps up with: fewer after a full batch that was answered late, more after any other, as in a congestion window that depends
 * on the delay. Of the timeout, an eighth is for batches that wait on the server, and another one for pauses. Not thread-safe.
 */
final class RoundTrips {
    private static final long MAX_BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int BACKLOGS_PER_TIMEOUT = 8;
    private static final double MAX_LEAD = 0.75; // of the timeout
    private static final int MAX_BATCHES = 64;
    private static final double REDUCTION = 0.75;

    private final long timeoutNanos;
    private final long backlogNanos;
    private final Extreme fastest = new Extreme(TimeUnit.SECONDS.toNanos(1));
    private final Extreme longest = new Extreme(TimeUnit.MINUTES.toNanos(1)); // of negative times
    private long count;
    private long nanos;
    private long requests;
    private long latestAt; // when the latest answer arrived
    private double batches = MAX_BATCHES; // that the server keeps up with
    private long reducedAt;

    RoundTrips(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        this.backlogNanos = timeoutNanos / BACKLOGS_PER_TIMEOUT;
        this.latestAt = System.nanoTime() - timeoutNanos;
        this.reducedAt = latestAt;
    }

    /**
     * Records the answer to a batch.
     *
     * @param inFlight the number of batches in flight until then
     */
    void record(Batch batch, int inFlight, long now) {
        long time = now - batch.sentAt();
        if (batch.wasSentAlone() && time < timeoutNanos) {
            fastest.record(time, now);
        }
        boolean late = time > fastest.get() + backlogNanos;
        if (!late || !batch.isFull()) {
            batches = Math.min(MAX_BATCHES, batches + 1 / batches);
        } else if (batch.sentAt() - reducedAt >= 0) {
            batches = Math.max(1, REDUCTION * Math.min(batches, inFlight));
            reducedAt = now;
        }
        longest.record(-time, now);
        count++;
        nanos += time;
        requests += batch.size();
        latestAt = now;
    }

    /** Returns how long a round trip takes while more may be sent: not long, since others than this process wait for the server. */
    long expectedNanos() {
        return fastest.get() + Math.min(MAX_BACKLOG_NANOS, 2 * backlogNanos);
    }

    /** Whether the server answers this many batches, which are in flight at a time, before it is too far behind. True for one. */
    boolean keepsUpWith(int inFlight) {
        return inFlight <= batches;
    }

    /** Returns how long before its deadline a request must be sent; in the first quarter of its time it may always be sent. */
    long leadNanos() {
        return Math.min(fastest.get() + 2 * backlogNanos, (long) (MAX_LEAD * timeoutNanos));
    }

    /** Whether an answer arrived within the last timeout, so that what is not sent waits for other requests. */
    boolean isServerAnswering(long now) {
        return now - latestAt < timeoutNanos;
    }

    /** Returns the sums, beside the number of requests in flight. */
    StoreStatistics statistics(int inFlight, long now) {
        longest.turn(now);
        return new StoreStatistics(OptionalInt.empty(), inFlight, count, nanos, -longest.get(), requests);
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
