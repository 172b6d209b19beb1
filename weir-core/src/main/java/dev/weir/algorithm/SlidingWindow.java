package dev.weir.algorithm;

import dev.weir.Accounting.Method;
import dev.weir.Limit;

/**
 * The sliding window counter: a log whose ticks are a bucket long, so that a few counters stand for a window.
 *
 * <p><b>Promise:</b> with the conservative estimate at most N in every window, since a bucket counts until its end has left
 * it; a denial may be one bucket too strict. With the classic estimate a bucket is forgotten by its start: exact only for
 * windows of {@code window - bucket}, and up to 2N in a window. <b>A denial takes</b> nothing. <b>Memory:</b> 16 bytes a
 * bucket in use, plus the pending bookings. <b>Cost:</b> as the sliding log.
 */
final class SlidingWindow extends Log {
    private final boolean classic;

    SlidingWindow(Limit limit) {
        super(limit, limit.accounting().windowNanos(), limit.accounting().tickNanos());
        classic = limit.accounting().method() == Method.CLASSIC_BUCKETS;
    }

    @Override
    long stamp(long now) {
        return classic ? now - Math.floorMod(now, tick) : tickEnd(now);
    }

    @Override
    long stampOfWaiter(long instant) {
        return classic ? stamp(instant) : instant;
    }

    @Override
    long tickAfter(long stamp) {
        return classic ? stamp + tick : stamp + 1;
    }

    @Override
    long visible(long instant) {
        return classic ? instant : tickEnd(instant);
    }
}
