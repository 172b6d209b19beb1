package dev.weir.algorithm;

import dev.weir.Accounting;
import dev.weir.Limit;

/**
 * The fixed window counter: one count for each window, starting again at zero.
 *
 * <p>A grant counts in the latest window that began at or before it, if that has not ended; otherwise it opens a window: at the
 * multiple of the length ({@code align=clock}), or at itself. Constant time; reservations that wait cost one step for each full
 * window before theirs.
 */
/*
 * As long as there is one window, it is the state's pair of numbers: start and count. A second one, or a refund, moves them into a
 * list. When the length changes, a window that has not ended by the old length continues by the new
 * one: in the clock's present window, or from now on if it would have ended. All its grants may have been recent. Grants from
 * before the change cannot be refunded, because their window may have another start.
 */
final class FixedWindow implements Algorithm {
    /** The largest number of windows that have not ended; beyond it, waiting for another one is denied. */
    static final int MAX_WINDOWS = 64;

    private final Limit limit;
    private final long length;
    private final boolean clock;

    FixedWindow(Limit limit) {
        this.limit = limit;
        this.length = limit.accounting().windowNanos();
        this.clock = limit.accounting().method() == Accounting.Method.CLOCK_WINDOWS;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    private static RunList windows(LimitState state) {
        if (state.more == null) {
            RunList windows = new RunList();
            if (state.amount > 0) {
                windows.add(state.instant, state.amount);
            }
            state.more = windows;
        }
        return (RunList) state.more;
    }

    private void prune(LimitState state, long now) {
        if (state.more == null) {
            if (now - state.instant >= length) {
                state.amount = 0;
            }
            return;
        }
        RunList windows = windows(state);
        windows.removeFirst(windows.after(0, now, -length));
        if (windows.isEmpty()) {
            state.clear(now);
        }
    }

    @Override
    public long earliest(LimitState state, long now, long from, long permits) {
        long room = limit.permits() - permits;
        if (room < 0) {
            return NEVER;
        }
        prune(state, now);
        if (state.more == null && (state.amount <= room || from == 0)) {
            return state.amount <= room ? from : end(state.instant, now);
        }
        RunList windows = windows(state);
        long at = from;
        int i = covering(windows, now, at, 0);
        while (i >= 0 && windows.weight(i) > room) {
            at = end(windows.stamp(i), now);
            if (!clock && i + 1 < windows.size()) {
                at = Math.min(at, windows.stamp(i + 1) - now);
            }
            i = covering(windows, now, at, i + 1);
        }
        return at;
    }

    /**
     * With {@code align=first}, reservations start only at this limit's own earliest fit, which is the end of a window: a start
     * that another limit forces could open a window that overlaps others.
     */
    @Override
    public boolean canGrant(LimitState state, long now, long wait, long permits) {
        if (wait == 0 || covering(windows(state), now, wait, 0) >= 0) {
            return true;
        }
        return windows(state).size() < MAX_WINDOWS && (clock || wait == earliest(state, now, 0, permits));
    }

    @Override
    public void grant(LimitState state, long now, long permits) {
        if (state.more != null) {
            RunList windows = windows(state);
            windows.add(start(windows, now, 0), permits);
            return;
        }
        if (state.amount == 0) {
            state.instant = opening(now);
        }
        state.amount += permits;
    }

    @Override
    public Refund reserve(LimitState state, long now, long wait, long permits) {
        long start;
        if (wait == 0 && state.more == null) {
            grant(state, now, permits);
            start = state.instant;
        } else {
            RunList windows = windows(state);
            start = start(windows, now, wait);
            windows.add(start, permits);
        }
        return state.createRefund((owner, refunded) -> refund(windows(owner), start, refunded));
    }

    private static void refund(RunList windows, long start, long permits) {
        int i = windows.find(start);
        if (i >= 0) {
            windows.addWeight(i, -permits);
        }
        // An empty window stays while a later one has grants: another one could open in between and overlap both.
        for (int last = windows.size() - 1; last >= 0 && windows.weight(last) == 0; last--) {
            windows.remove(last);
        }
    }

    @Override
    public long remaining(LimitState state, long now) {
        prune(state, now);
        if (state.more == null) {
            return Math.max(0, limit.permits() - state.amount);
        }
        RunList windows = windows(state);
        int i = covering(windows, now, 0, 0);
        return i < 0 ? limit.permits() : Math.max(0, limit.permits() - windows.weight(i));
    }

    @Override
    public long resetAfter(LimitState state, long now) {
        if (state.more == null) {
            return state.amount == 0 ? 0 : Math.max(0, end(state.instant, now));
        }
        RunList windows = windows(state);
        return windows.isEmpty() ? 0 : Math.max(0, end(windows.stamp(windows.size() - 1), now));
    }

    @Override
    public boolean adopt(LimitState state, Algorithm before, long now) {
        if (!(before instanceof FixedWindow last)) {
            return false;
        }
        if (last.length == length && last.clock == clock) {
            return true;
        }
        last.prune(state, now);
        RunList windows = windows(state);
        state.clear(now);
        for (int i = 0; i < windows.size(); i++) {
            boolean over = now - windows.stamp(i) >= length;
            long from = LongMath.later(windows.stamp(i), now);
            if (windows.weight(i) > 0) {
                add(windows(state), clock ? aligned(from) : over ? now : windows.stamp(i), windows.weight(i));
            }
        }
        return true;
    }

    private static void add(RunList windows, long start, long weight) {
        int i = windows.find(start);
        long room = i < 0 ? Long.MAX_VALUE : Long.MAX_VALUE - windows.weight(i); // several windows may become one
        windows.add(start, Math.min(weight, room));
    }

    @Override
    public long steadyFor(LimitState state, long now) {
        prune(state, now);
        if (state.more != null) {
            return remaining(state, now) == 0 ? earliest(state, now, 0, 1) : 0;
        }
        return state.amount == 0 ? NEVER : end(state.instant, now);
    }

    @Override
    public long joinsFor(LimitState state, long now, long permits) {
        return state.more == null && state.amount > permits ? end(state.instant, now) : 0;
    }

    @Override
    public void forEachRun(LimitState state, long now, RunVisitor visitor) {
        prune(state, now);
        RunList windows = windows(state);
        for (int i = 0; i < windows.size(); i++) {
            if (windows.weight(i) > 0) {
                visitor.visit(windows.stamp(i), windows.weight(i), windows.stamp(i) - now > 0);
            }
        }
    }

    /** Returns the window that a grant after a wait joins, or -1 if it opens one; the first {@code atLeast} have begun before. */
    private int covering(RunList windows, long now, long wait, int atLeast) {
        int latest = windows.after(atLeast, now, wait) - 1;
        return latest >= 0 && windows.stamp(latest) - now > wait - length ? latest : -1;
    }

    private long start(RunList windows, long now, long wait) {
        int i = covering(windows, now, wait, 0);
        return i >= 0 ? windows.stamp(i) : opening(now + wait);
    }

    private long opening(long instant) {
        return clock ? aligned(instant) : instant;
    }

    private long aligned(long instant) {
        return instant - Math.floorMod(instant, length);
    }

    private long end(long start, long now) {
        return start - now + length;
    }
}
