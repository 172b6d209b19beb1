package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * The sliding log: the exact limiter, and Weir's default. It keeps the instant of every admission for one window.
 *
 * <p><b>Promise:</b> for every instant t, the permits admitted in {@code (t - window, t]} are at most N: through weights,
 * give-backs, bookings ahead, changed limits and clocks that step back. <b>Weakness:</b> it remembers, where a counter
 * forgets. So entries of one tick (the resolution) are merged into one run, rounded to the end of the tick: never too many
 * pass, and a denial is less than one tick too strict. <b>A denial takes</b> nothing; with {@code count=attempts} it counts
 * like an admission, of which only the newest N permits can decide and are kept.
 *
 * <p><b>Memory:</b> 16 bytes a run, at most {@code window / resolution + 1} runs (margin included; the widest window while
 * it was longer before) and never more than N, plus the pending
 * bookings, at most {@value Algorithm#MAX_PENDING} instants. <b>Cost:</b> constant for an admission and for a denial of
 * one permit; one sweep over the runs while bookings are pending.
 */
final class SlidingLog extends Log {
    private Limit.SlidingLog limit;

    SlidingLog(Limit.SlidingLog limit, long now) {
        super(now, limit.windowNanos() + limit.marginNanos());
        this.limit = limit;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    long window() {
        return limit.windowNanos() + limit.marginNanos();
    }

    @Override
    long tick() {
        return limit.resolutionNanos();
    }

    @Override
    long stamp(long now) {
        return visible(now);
    }

    @Override
    long stampOfWaiter(long instant) {
        return instant;
    }

    @Override
    long visible(long instant) {
        return tickEnd(instant);
    }

    @Override
    public boolean adopt(Limit changed, long now) {
        if (!(changed instanceof Limit.SlidingLog log)) {
            return false;
        }
        prune(now);
        limit = log;
        rewindow(now);
        return true;
    }

    /** Attempts keep only what their own limit needs. */
    @Override
    public boolean canAlternate(Limit other) {
        boolean attempts =
                countsAttempts() || (other instanceof Limit.SlidingLog log && log.count() == Limit.Count.ATTEMPTS);
        return !attempts || other.equals(limit) || !(other instanceof Limit.SlidingLog);
    }

    // Attempts: who is denied is logged all the same, and may neither wait nor give back.

    private boolean countsAttempts() {
        return limit.count() == Limit.Count.ATTEMPTS;
    }

    @Override
    public boolean canBook(long now, long wait, long permits) {
        return countsAttempts() ? wait == 0 : super.canBook(now, wait, permits);
    }

    @Override
    public boolean denied(long now, long permits) {
        if (!countsAttempts() || permits > limit.permits()) {
            return false;
        }
        long logged = Math.min(permits, Long.MAX_VALUE - total()); // beyond that it denies as it is
        if (logged > 0) {
            super.book(now, 0, logged);
            keepNewest(limit.permits(), now);
        }
        return true;
    }

    @Override
    public GiveBack reserve(long now, long wait, long permits) {
        GiveBack exact = super.reserve(now, wait, permits);
        return back -> {
            if (!countsAttempts()) {
                exact.permits(back);
            }
        };
    }
}
