package dev.weir.algorithm;

import dev.weir.Accounting.Method;
import dev.weir.Limit;

/**
 * The sliding log: the exact limiter, and Weir's default. It keeps the instant of every admission for one window.
 *
 * <p><b>Promise:</b> for every instant t, the permits admitted in {@code (t - window, t]} are at most N: through weights,
 * give-backs, bookings ahead and changed limits. <b>Weakness:</b> it remembers, where a counter
 * forgets. So entries of one tick (the resolution) are merged into one run, rounded to the end of the tick: never too many
 * pass, and a denial is less than one tick too strict. <b>A denial takes</b> nothing; with {@code count=attempts} it counts
 * like an admission, of which only the newest N permits can decide and are kept.
 *
 * <p><b>Memory:</b> 4 bytes a permit or 16 a run, whichever is less; at most {@code window / resolution + 1} runs (margin included; the widest window while
 * it was longer before) and never more than N, plus the pending
 * bookings, at most {@value Algorithm#MAX_PENDING} instants. <b>Cost:</b> constant for an admission and for a denial of
 * one permit; one sweep over the runs while bookings are pending.
 */
final class SlidingLog extends Log {
    private final boolean countsAttempts;

    SlidingLog(Limit limit) {
        super(limit, limit.accounting().windowNanos(), limit.accounting().tickNanos());
        countsAttempts = limit.accounting().method() == Method.LOG_OF_ATTEMPTS;
    }

    @Override
    long stamp(long now) {
        return tickEnd(now);
    }

    @Override
    long stampOfWaiter(long instant) {
        return instant;
    }

    @Override
    long tickAfter(long stamp) {
        return stamp + 1;
    }

    @Override
    long visible(long instant) {
        return tickEnd(instant);
    }

    /** Attempts keep only what their own limit needs. */
    @Override
    public boolean canAlternate(Limit other) {
        Method method = other.accounting().method();
        boolean attempts = method == Method.LOG_OF_ATTEMPTS || (countsAttempts && method == Method.LOG);
        return !attempts || other.equals(limit());
    }

    // Attempts: who is denied is logged all the same, and may neither wait nor give back.

    @Override
    boolean mayWait() {
        return !countsAttempts;
    }

    @Override
    public boolean denied(Memory memory, long now, long permits) {
        if (!countsAttempts || permits > limit().permits()) {
            return false;
        }
        logDenied(memory, now, permits);
        return true;
    }

    @Override
    public GiveBack reserve(Memory memory, long now, long wait, long permits) {
        GiveBack exact = super.reserve(memory, now, wait, permits);
        return countsAttempts ? back -> {} : exact;
    }
}
