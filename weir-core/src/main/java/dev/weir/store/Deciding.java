package dev.weir.store;

import dev.weir.Accounting.Method;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Status;
import dev.weir.algorithm.Algorithm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decision of one request on one key's state, whose lock the caller holds. */
final class Deciding {
    private Deciding() {}

    /**
     * Decides by a state that has one limit and nothing else, as nearly all have; returns what {@link #atOnce} would, or null if
     * the state has more. A cached denial is returned without taking the lock.
     */
    static @Nullable Decision plainly(KeyState state, Limits limits, long permits, long reading) {
        Denial cached = state.cachedDenial();
        if (cached != null && permits == 1 && cached.appliesTo(limits, reading)) {
            return cached.decision(reading);
        }
        if (!state.enter(reading)) {
            return null;
        }
        try {
            if (!state.turnPlainlyTo(limits, reading)) {
                return null;
            }
            long lag = state.seenAfter(reading);
            long now = reading + lag;
            long remaining = state.take(now, permits);
            return remaining == Algorithm.DENIED
                    ? denied(state, limits, permits, reading)
                    : allowed(state.limit(0), remaining, 0, state.resetAfter(now), reading, lag);
        } finally {
            state.unlock();
        }
    }

    /** Grants the permits if they fit now. */
    static Decision atOnce(KeyState state, Limits limits, long permits, long reading) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        if (state.earliest(now, 0, permits) == 0) {
            state.book(now, 0, permits);
            return allowedNow(state, permits, reading, lag);
        }
        return denied(state, limits, permits, reading);
    }

    private static Decision denied(KeyState state, Limits limits, long permits, long reading) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        boolean remembered = state.denied(now, permits);
        long retry = state.earliest(now, 0, permits);
        Decision denied = deniedNow(state, permits, retry, reading, lag);
        boolean cacheable = permits == 1 && denied.remaining() == 0 && !remembered && !denied.blocked();
        if (cacheable && state.size() == 1 && state.countsAlone()) {
            cache(state, limits, denied, reading);
        }
        return denied;
    }

    /** Lets a denial answer the same request until its retry-after has passed. */
    private static void cache(KeyState state, Limits limits, Decision denied, long reading) {
        long far = Long.MAX_VALUE / 2;
        boolean keepsRemaining =
                denied.limit().accounting().method() != Method.QUEUE; // its queue has room before one may pass
        if (keepsRemaining && denied.retryAfterNanos() < far && denied.resetAfterNanos() < far) {
            long retryAt = reading + denied.retryAfterNanos();
            state.cache(new Denial(limits, denied.limit(), retryAt, reading + denied.resetAfterNanos()));
        }
    }

    /** Returns what {@link #atOnce} would. */
    static Decision peek(KeyState state, long permits, long reading) {
        long lag = state.seenAfter(reading);
        long now = reading + lag;
        long wait = state.earliest(now, 0, permits);
        return wait == 0 ? allowedNow(state, permits, reading, lag) : deniedNow(state, permits, wait, reading, lag);
    }

    private static Decision allowedNow(KeyState state, long permits, long reading, long lag) {
        long now = reading + lag;
        int tightest = state.tightest(now);
        long remaining = state.remaining(tightest, now);
        Decision allowed = allowed(state.limit(tightest), remaining, 0, state.resetAfter(tightest, now), reading, lag);
        return completed(allowed, state, permits, now, lag);
    }

    private static Decision deniedNow(KeyState state, long permits, long retry, long reading, long lag) {
        long now = reading + lag;
        int latest = state.latest(now, permits);
        long resetAfter = state.resetAfter(latest, now);
        Decision denied = denied(state.limit(latest), state.remaining(now), retry, resetAfter, reading, lag);
        denied = state.blockedFor(now) > 0 ? denied.asBlocked() : denied;
        return completed(denied, state, permits, now, lag);
    }

    /** Adds what a state with one limit and of one key does not have. */
    private static Decision completed(Decision decision, KeyState state, long permits, long now, long lag) {
        Decision completed = decision;
        if (state.size() > 1) {
            List<Status> statuses = new ArrayList<>();
            addStatuses(statuses, 0, state, decision.allowed(), now, lag, permits);
            completed = completed.withStatuses(statuses);
        }
        return state.shared() ? completed.asDegraded() : completed;
    }

    /** Adds the status of each limit of a request. */
    static void addStatuses(
            List<Status> statuses, int request, KeyState state, boolean allowed, long now, long lag, long permits) {
        for (int i = 0; i < state.size(); i++) {
            long retry = allowed ? 0 : state.earliest(i, now, permits);
            statuses.add(Status.of(
                    request,
                    state.limit(i),
                    state.remaining(i, now),
                    retry == 0 ? 0 : plus(retry, lag),
                    plus(state.resetAfter(i, now), lag)));
        }
    }

    /** Waits are counted from the reading, {@code lag} before the key's time; what is granted now, is at the key's time. */
    static Decision allowed(Limit tightest, long remaining, long wait, long resetAfter, long reading, long lag) {
        return wait == 0
                ? Decision.allowed(tightest, remaining, 0, plus(resetAfter, lag), reading + lag)
                : Decision.allowed(tightest, remaining, plus(wait, lag), plus(resetAfter, lag), reading);
    }

    static Decision denied(Limit latest, long remaining, long retry, long resetAfter, long reading, long lag) {
        return Decision.denied(latest, remaining, plus(retry, lag), plus(resetAfter, lag), reading);
    }

    private static long plus(long wait, long lag) {
        return wait > Algorithm.NEVER - lag ? Algorithm.NEVER : wait + lag;
    }
}
