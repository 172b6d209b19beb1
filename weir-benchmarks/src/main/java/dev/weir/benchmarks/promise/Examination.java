package dev.weir.benchmarks.promise;

import dev.weir.Limit;
import dev.weir.testkit.WorstWindow;

/**
 * A check of what a limiter decided, from the requests and the answers alone. Shares no code with any limiter. The times of one
 * client must not decrease. Not thread-safe.
 */
public final class Examination {
    /** The answer to a request that is denied. */
    public static final long DENIED = -1;

    private final long permits;
    private final WorstWindow released; // when permits are granted: after the wait, if there is one
    private final WorstWindow decided; // when they are admitted
    private final WorstWindow best; // what an exact log grants of the same requests
    private long requests;
    private long granted;
    private long possible;
    private long wronglyDenied;

    /**
     * Prepares the check of a limit.
     *
     * @param shorterNanos how much shorter than the window of the limit the window may be that the limiter keeps; 0 if it is exact
     * @param longerNanos how much longer it may be
     */
    public Examination(Limit limit, long shorterNanos, long longerNanos) {
        permits = limit.permits();
        released = new WorstWindow(limit.windowNanos() - shorterNanos);
        decided = new WorstWindow(limit.windowNanos() + longerNanos);
        best = new WorstWindow(limit.windowNanos());
    }

    /**
     * Adds a request that was decided between two times, and its answer. Neither an admission nor a denial counts as wrong unless it
     * is for every instant between them.
     *
     * @param answer the wait in nanoseconds, 0 if the permit is granted now, or {@link #DENIED}
     */
    public void add(int client, long earliestNanos, long latestNanos, long answer) {
        requests++;
        if (best.within(client, earliestNanos) < permits) {
            best.granted(client, earliestNanos, 1);
            possible++;
        }
        if (answer != DENIED) {
            granted++;
            released.granted(client, earliestNanos + answer, latestNanos + answer, 1);
            decided.granted(client, latestNanos, 1);
        } else if (decided.within(client, earliestNanos) < permits) {
            wronglyDenied++;
        }
    }

    /** Returns the result for all requests so far. */
    public Finding finding() {
        return new Finding(requests, granted, possible, released.worst(), wronglyDenied);
    }

    /**
     * What a limiter did with some traffic.
     *
     * @param requests the number of requests
     * @param granted how many of them were granted
     * @param possible how many an exact log grants, which is the most that the limit allows
     * @param worstWindow the most permits that a client was granted in a window
     * @param wronglyDenied the number of requests that were denied although the limit was not reached in the window before
     */
    public record Finding(long requests, long granted, long possible, long worstWindow, long wronglyDenied) {
        /** Returns the share of the possible permits that was granted, in percent; above 100 if too many were granted. */
        double use() {
            return 100.0 * granted / possible;
        }
    }
}
