package dev.weir.algorithm;

import dev.weir.Limit;

/** The algorithms, by the method of a limit's accounting. */
public final class Algorithms {
    private Algorithms() {}

    /** Creates the algorithm of a limit. */
    public static Algorithm of(Limit limit) {
        return switch (limit.accounting().method()) {
            case LOG, LOG_OF_ATTEMPTS -> new SlidingLog(limit);
            case BUCKETS, CLASSIC_BUCKETS -> new SlidingWindow(limit);
            case CLOCK_WINDOWS, FIRST_WINDOWS -> new FixedWindow(limit);
            case TOKENS -> new TokenBucket(limit);
            case QUEUE -> new LeakyBucket(limit);
            case SPACING -> new Gcra(limit);
            case NOTHING -> new Unlimited(limit);
        };
    }
}
