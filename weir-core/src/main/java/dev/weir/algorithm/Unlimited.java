package dev.weir.algorithm;

import dev.weir.Limit;
import java.util.function.LongConsumer;

/** The algorithm of a limit that never denies and keeps no state. */
record Unlimited(Limit limit) implements Algorithm {
    @Override
    public long earliest(LimitState state, long now, long from, long permits) {
        return from;
    }

    @Override
    public boolean canGrant(LimitState state, long now, long wait, long permits) {
        return true;
    }

    @Override
    public void grant(LimitState state, long now, long permits) {}

    @Override
    public LongConsumer reserve(LimitState state, long now, long wait, long permits) {
        return refunded -> {};
    }

    @Override
    public long remaining(LimitState state, long now) {
        return Long.MAX_VALUE;
    }

    @Override
    public long resetAfter(LimitState state, long now) {
        return 0;
    }

    @Override
    public long steadyFor(LimitState state, long now) {
        return NEVER;
    }

    @Override
    public boolean adopt(LimitState state, Algorithm before, long now) {
        return before instanceof Unlimited;
    }
}
