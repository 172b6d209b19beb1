package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * The fixed window counter: one count for each window, starting again at zero.
 *
 * <p><b>Promise:</b> at most N in each of its own windows. <b>Weakness:</b> up to 2N in a window of the same length that
 * lies across a boundary. <b>A denial takes</b> nothing. <b>Memory:</b> 16 bytes a window in use: the present one and those
 * with bookings, at most {@value Algorithm#MAX_PENDING}. <b>Cost:</b> constant; with bookings ahead, a look at each window
 * that is full.
 */
/*
 * Each run is a window: its start and its count. An event joins the latest window that began at or before it, if that
 * still lasts; otherwise it opens one, at the clock's multiple or at itself. When the length changes, a window that still
 * lasts by the old one goes on by the new one: in the clock's present window, or, if it would be over, from now. Its
 * requests may all have come just now.
 */
final class FixedWindow implements Algorithm {
    private final Runs windows = new Runs();
    private Limit.FixedWindow limit;
    private int changes; // a booking from before the last one is not given back: its window may have another start

    FixedWindow(Limit.FixedWindow limit) {
        this.limit = limit;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public long earliest(long now, long from, long permits) {
        long room = limit.permits() - permits;
        if (room < 0) {
            return NEVER;
        }
        prune(now);
        long at = from;
        for (int i = covering(now + at); i >= 0 && windows.weight(i) > room; i = covering(now + at)) {
            at = end(i, now);
            if (limit.align() == Limit.Align.FIRST && i + 1 < windows.size()) {
                at = Math.min(at, windows.stamp(i + 1) - now);
            }
            if (at == NEVER) {
                return NEVER;
            }
        }
        return at;
    }

    /**
     * Where the first request opens a window, waiters book only at this limit's own fit, which is where a window ends: a
     * place that another limit forces could open a window that lies across others.
     */
    @Override
    public boolean canBook(long now, long wait, long permits) {
        if (wait == 0 || covering(now + wait) >= 0) {
            return true;
        }
        return wait < NEVER - limit.windowNanos()
                && windows.size() < MAX_PENDING
                && (limit.align() == Limit.Align.CLOCK || wait == earliest(now, 0, permits));
    }

    @Override
    public void book(long now, long wait, long permits) {
        windows.add(start(now + wait), permits);
    }

    @Override
    public GiveBack reserve(long now, long wait, long permits) {
        long start = start(now + wait);
        int changesBefore = changes;
        windows.add(start, permits);
        return back -> {
            int i = changes == changesBefore ? windows.find(start) : -1;
            if (i >= 0) {
                windows.take(i, back);
            }
        };
    }

    @Override
    public long remaining(long now) {
        int i = covering(now);
        return i < 0 ? limit.permits() : Math.max(0, limit.permits() - windows.weight(i));
    }

    @Override
    public long resetAfter(long now) {
        prune(now);
        return windows.isEmpty() ? 0 : end(windows.size() - 1, now);
    }

    @Override
    public boolean adopt(Limit changed, long now) {
        if (!(changed instanceof Limit.FixedWindow next)) {
            return false;
        }
        prune(now);
        changes++;
        long[] starts = new long[windows.size()];
        long[] counts = new long[windows.size()];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = windows.stamp(i);
            counts[i] = windows.weight(i);
        }
        while (!windows.isEmpty()) {
            windows.drop(windows.size() - 1);
        }
        limit = next;
        for (int i = 0; i < starts.length; i++) {
            boolean over = now - starts[i] >= next.windowNanos();
            long from = starts[i] - now > 0 ? starts[i] : now;
            windows.add(next.align() == Limit.Align.CLOCK ? aligned(from) : over ? now : starts[i], counts[i]);
        }
        return true;
    }

    /** A change of length moves counts to other windows, so two lengths by turns would forget. */
    @Override
    public boolean canAlternate(Limit other) {
        return !(other instanceof Limit.FixedWindow window)
                || (window.windowNanos() == limit.windowNanos() && window.align() == limit.align());
    }

    /** The window that an event at this instant joins, or -1 if it opens one. */
    private int covering(long instant) {
        int latest = windows.countUpTo(instant) - 1;
        return latest >= 0 && instant - windows.stamp(latest) < limit.windowNanos() ? latest : -1;
    }

    private long start(long instant) {
        int i = covering(instant);
        if (i >= 0) {
            return windows.stamp(i);
        }
        return limit.align() == Limit.Align.CLOCK ? aligned(instant) : instant;
    }

    private long aligned(long instant) {
        return instant - Math.floorMod(instant, limit.windowNanos());
    }

    private long end(int i, long now) {
        long ahead = windows.stamp(i) - now;
        return ahead > NEVER - limit.windowNanos() ? NEVER : ahead + limit.windowNanos();
    }

    private void prune(long now) {
        while (!windows.isEmpty() && now - windows.stamp(0) >= limit.windowNanos()) {
            windows.drop(0);
        }
    }
}
