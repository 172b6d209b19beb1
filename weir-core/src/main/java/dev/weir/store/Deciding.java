package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;
import org.jspecify.annotations.Nullable;

/** The step of one request on one key's state, whose monitor the caller holds. */
final class Deciding {
    private Deciding() {}

    /**
     * Decides by a state that has one limit and nothing else, as nearly all have: what {@link #atOnce} would say, or null if
     * the state has more to look at. A denial that stands is repeated without the lock.
     */
    static @Nullable Decision plainly(KeyState state, Limits limits, long permits, long reading, StoreClock clock) {
        Denial standing = state.standing();
        if (standing != null && permits == 1 && standing.stands(limits, reading, clock)) {
            return standing.decision(reading);
        }
        if (!state.enter(reading)) {
            return null;
        }
        try {
            if (!state.turnPlainlyTo(limits, reading, clock)) {
                return null;
            }
            long lag = state.seenAfter(reading);
            long now = reading + lag;
            long remaining = state.take(now, permits);
            return remaining == Algorithm.DENIED
                    ? refused(state, limits, permits, reading)
                    : allowed(state.limit(0), remaining, 0, state.resetAfter(now), lag, false);
        } finally {
            state.exit();
        }
    }

    /** Books what fits now, or denies. */
    static Decision atOnce(KeyState state, Limits limits, long permits, long reading) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        if (state.earliest(now, 0, permits) == 0) {
            state.book(now, 0, permits);
            return allowedNow(state, now, lag);
        }
        return refused(state, limits, permits, reading);
    }

    private static Decision refused(KeyState state, Limits limits, long permits, long reading) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        boolean remembered = state.denied(now, permits);
        int latest = state.latest(now, permits);
        long retry = state.earliest(now, 0, permits);
        Decision denied = deniedNow(state, latest, retry, now, lag);
        boolean stands = permits == 1 && denied.remaining() == 0 && !remembered;
        if (stands && state.countsAlone() && state.isFitOf(latest, retry, now, permits)) {
            standing(state, limits, denied, reading, now);
        }
        return denied;
    }

    /** Lets a denial, whose retry is its limit's own, answer for those that come after it until then. */
    private static void standing(KeyState state, Limits limits, Decision denied, long reading, long now) {
        long far = Long.MAX_VALUE / 2;
        boolean keepsRemaining = !(denied.limit() instanceof Limit.LeakyBucket); // a queue has room before one may pass
        if (keepsRemaining && denied.retryAfterNanos() < far && denied.resetAfterNanos() < far) {
            long retryAt = reading + denied.retryAfterNanos();
            state.stand(new Denial(limits, denied.limit(), now, retryAt, reading + denied.resetAfterNanos()));
        }
    }

    /** What {@link #atOnce} would say. */
    static Decision peek(KeyState state, long permits, long reading) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        long wait = state.earliest(now, 0, permits);
        return wait == 0 ? allowedNow(state, now, lag) : deniedNow(state, state.latest(now, permits), wait, now, lag);
    }

    /** What goes at once is not blocked, so that the tightest limit tells what remains. */
    private static Decision allowedNow(KeyState state, long now, long lag) {
        int tightest = state.tightest(now);
        long remaining = state.remaining(tightest, now);
        return allowed(state.limit(tightest), remaining, 0, state.resetAfter(tightest, now), lag, state.shared());
    }

    private static Decision deniedNow(KeyState state, int latest, long retry, long now, long lag) {
        long resetAfter = state.resetAfter(latest, now);
        return denied(state.limit(latest), state.remaining(now), retry, resetAfter, lag, state.shared());
    }

    /** Waits are counted from the clock's reading, {@code lag} before the key's time. */
    static Decision allowed(Limit tightest, long remaining, long wait, long resetAfter, long lag, boolean shared) {
        long waitNanos = wait == 0 ? 0 : plus(wait, lag);
        return new Decision(true, tightest, remaining, waitNanos, 0, plus(resetAfter, lag), shared);
    }

    static Decision denied(Limit latest, long remaining, long retry, long resetAfter, long lag, boolean shared) {
        return new Decision(false, latest, remaining, 0, plus(retry, lag), plus(resetAfter, lag), shared);
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
