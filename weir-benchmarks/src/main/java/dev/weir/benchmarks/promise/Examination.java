package dev.weir.benchmarks.promise;

import dev.weir.Limit;
import dev.weir.testkit.WorstWindow;

/**
 * A check of what a limiter decided, from the requests and the answers alone. Shares no code with any limiter. The times of one
 * client must not decrease. Not thread-safe.
 */
final class Examination {
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
     * @param toleranceNanos the unit in which the limiter counts time, 0 if it is exact: windows that are longer or shorter than the
     *     limit's by that are as good
     */
    Examination(Limit limit, long toleranceNanos) {
        permits = limit.permits();
        released = new WorstWindow(limit.windowNanos() - toleranceNanos);
        decided = new WorstWindow(limit.windowNanos() + toleranceNanos);
        best = new WorstWindow(limit.windowNanos());
    }

    /**
     * Adds a request that was decided between two times, and its answer as {@link Subject#make} returns it. Neither an admission
     * nor a denial counts as wrong unless it is for every instant between them.
     */
    void add(int client, long earliestNanos, long latestNanos, long answer) {
        requests++;
        if (best.within(client, earliestNanos) < permits) {
            best.granted(client, earliestNanos, 1);
            possible++;
        }
        if (answer != Subject.DENIED) {
            granted++;
            released.granted(client, earliestNanos + answer, latestNanos + answer, 1);
            decided.granted(client, latestNanos, 1);
        } else if (decided.within(client, earliestNanos) < permits) {
            wronglyDenied++;
        }
    }

    /** Returns the result for all requests so far. */
    Finding finding() {
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
    record Finding(long requests, long granted, long possible, long worstWindow, long wronglyDenied) {
        /** Returns the share of the possible permits that was granted, in percent; above 100 if too many were granted. */
        double use() {
            return 100.0 * granted / possible;
        }
    }
}
