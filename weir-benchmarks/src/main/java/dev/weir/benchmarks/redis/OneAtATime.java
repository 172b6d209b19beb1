package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.run.FailedMeasureException;
import java.util.Arrays;

/** Calls of one thread, each of which waits for its decision: their median. */
final class OneAtATime {
    private static final double NANOS_PER_MICRO = 1e3;

    private final RemoteLimiter limiter;
    private final int keys;
    private final boolean admitted;
    private int next;

    /** Calls for so many keys in turn, all of which are to be admitted, or all denied. */
    OneAtATime(RemoteLimiter limiter, int keys, boolean admitted) {
        this.limiter = limiter;
        this.keys = keys;
        this.admitted = admitted;
    }

    /**
     * The median of so many calls.
     *
     * @throws FailedMeasureException if one was decided otherwise
     */
    double medianMicros(int calls) {
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            int key = next++ % keys;
            long start = System.nanoTime();
            boolean allowed = limiter.ask(key);
            nanos[i] = System.nanoTime() - start;
            if (allowed != admitted) {
                throw new FailedMeasureException(
                        "a request was " + (allowed ? "admitted" : "denied") + ", which is not what it is to show",
                        null);
            }
        }
        Arrays.sort(nanos);
        return nanos[calls / 2] / NANOS_PER_MICRO;
    }
}
