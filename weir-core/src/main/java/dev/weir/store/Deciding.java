package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;

/** The step of one request on one key's state, whose monitor the caller holds. */
final class Deciding {
    private Deciding() {}

    /** Books what fits now, or denies. */
    static Decision atOnce(KeyState state, Limits limits, long permits, long reading, int clockSteps) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        state.turnTo(limits, now, clockSteps);
        long wait = state.earliest(now, 0, permits);
        if (wait == 0) {
            state.book(now, 0, permits);
            return allowedNow(state, now, lag);
        }
        if (state.denied(now, permits)) {
            wait = state.earliest(now, 0, permits);
        }
        return denied(state.latest(now, permits), state.remaining(now), now, wait, lag, state.shared);
    }

    /** What {@link #atOnce} would say. */
    static Decision peek(KeyState state, Limits limits, long permits, long reading, int clockSteps) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        state.turnTo(limits, now, clockSteps);
        long wait = state.earliest(now, 0, permits);
        return wait == 0
                ? allowedNow(state, now, lag)
                : denied(state.latest(now, permits), state.remaining(now), now, wait, lag, state.shared);
    }

    /** What goes at once is not blocked, so that the tightest limit tells what remains. */
    private static Decision allowedNow(KeyState state, long now, long lag) {
        Algorithm tightest = state.tightest(now);
        return allowed(tightest, tightest.remaining(now), now, 0, lag, state.shared);
    }

    /** Waits are counted from the clock's reading, {@code lag} before the key's {@code now}. */
    static Decision allowed(Algorithm tightest, long remaining, long now, long wait, long lag, boolean shared) {
        long waitNanos = wait == 0 ? 0 : plus(wait, lag);
        long resetAfter = plus(tightest.resetAfter(now), lag);
        return new Decision(true, tightest.limit(), remaining, waitNanos, 0, resetAfter, shared);
    }

    static Decision denied(Algorithm latest, long remaining, long now, long retry, long lag, boolean shared) {
        long resetAfter = plus(latest.resetAfter(now), lag);
        return new Decision(false, latest.limit(), remaining, 0, plus(retry, lag), resetAfter, shared);
    }

    /** The answer where no state can be had: admitted uncounted, or denied for the shortest window. */
    static Decision byPolicy(Claim claim, boolean admit) {
        Limit limit = claim.limits().list().get(0);
        long retry = claim.limits().shortestWindowNanos();
        return new Decision(admit, limit, 0, 0, admit ? 0 : retry, admit ? 0 : retry, true);
    }

    private static long plus(long wait, long lag) {
        return wait > Algorithm.NEVER - lag ? Algorithm.NEVER : wait + lag;
    }
}
