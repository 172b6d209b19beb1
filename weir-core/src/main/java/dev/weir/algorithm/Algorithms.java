package dev.weir.algorithm;

import dev.weir.Limit;

/** The algorithms, by the method of a limit's accounting. */
public final class Algorithms {
    private Algorithms() {}

    public static Algorithm of(Limit limit) {
        return switch (limit.accounting().method()) {
            case LOG, LOG_OF_ATTEMPTS, BUCKETS, CLASSIC_BUCKETS -> new WindowLog(limit);
            case CLOCK_WINDOWS, FIRST_WINDOWS -> new FixedWindow(limit);
            case TOKENS, SPACING, QUEUE -> new VirtualScheduling(limit);
            case NOTHING -> new Unlimited(limit);
        };
    }
}
