package dev.weir.algorithm;

import dev.weir.Accounting;
import dev.weir.Limit;
import java.util.function.LongConsumer;

/**
 * The fixed window counter: one count for each window, starting again at zero.
 *
 * <p>A grant counts in the latest window that began at or before it, if that has not ended; otherwise it opens a window: at the
 * multiple of the length ({@code align=clock}), or at itself. Constant time; reservations that wait cost one step for each full
 * window before theirs.
 */
/*
 * If there is only the present window, it is the state's pair of numbers: start and count. Otherwise all are in a list. The methods at
 * the end read and write both forms.
 *
 * When the length changes, a window that has not ended by the old length continues by the new one: in the clock's present window, or
 * from now on if it would have ended. All its grants may have been recent. Grants from before the change cannot be refunded, because
 * their window may have another start.
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

    @Override
    public long earliest(LimitState state, long now, long from, long permits) {
        long room = limit.permits() - permits;
        if (room < 0) {
            return NEVER;
        }
        prune(state, now);
        long at = from;
        int i = covering(state, now, at);
        while (i >= 0 && count(state, i) > room) {
            at = end(start(state, i), now);
            if (!clock && i + 1 < size(state)) {
                at = Math.min(at, start(state, i + 1) - now);
            }
            i = covering(state, now, at);
        }
        return at;
    }

    /**
     * With {@code align=first}, reservations start only at this limit's own earliest fit, which is the end of a window: a start
     * that another limit forces could open a window that overlaps others.
     */
    @Override
    public boolean canGrant(LimitState state, long now, long wait, long permits) {
        if (wait == 0 || covering(state, now, wait) >= 0) {
            return true;
        }
        return size(state) < MAX_WINDOWS && (clock || wait == earliest(state, now, 0, permits));
    }

    @Override
    public void grant(LimitState state, long now, long permits) {
        add(state, now, startFor(state, now, 0), permits);
    }

    @Override
    public LongConsumer reserve(LimitState state, long now, long wait, long permits) {
        long start = startFor(state, now, wait);
        add(state, now, start, permits);
        return state.createRefund((owner, refunded) -> refund(owner, start, refunded));
    }

    @Override
    public long remaining(LimitState state, long now) {
        prune(state, now);
        int i = covering(state, now, 0);
        return i < 0 ? limit.permits() : Math.max(0, limit.permits() - count(state, i));
    }

    @Override
    public long resetAfter(LimitState state, long now) {
        int last = size(state) - 1;
        return last < 0 ? 0 : Math.max(0, end(start(state, last), now));
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
        RunList windows = list(state);
        state.clear(now);
        for (int i = 0; i < windows.size(); i++) {
            boolean over = now - windows.stamp(i) >= length;
            long from = LongMath.later(windows.stamp(i), now);
            if (windows.weight(i) > 0) {
                add(state, now, clock ? aligned(from) : over ? now : windows.stamp(i), windows.weight(i));
            }
        }
        return true;
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
        for (int i = 0; i < size(state); i++) {
            if (count(state, i) > 0) {
                visitor.visit(start(state, i), count(state, i), start(state, i) - now > 0);
            }
        }
    }

    /** Returns the window that a grant after a wait joins, or -1 if it opens one. */
    private int covering(LimitState state, long now, long wait) {
        int latest = (state.more == null ? size(state) : list(state).after(0, now, wait)) - 1;
        return latest >= 0 && start(state, latest) - now > wait - length ? latest : -1;
    }

    /** Returns the start of the window that a grant after a wait joins or opens. */
    private long startFor(LimitState state, long now, long wait) {
        int i = covering(state, now, wait);
        return i >= 0 ? start(state, i) : clock ? aligned(now + wait) : now + wait;
    }

    private long aligned(long instant) {
        return instant - Math.floorMod(instant, length);
    }

    private long end(long start, long now) {
        return start - now + length;
    }

    // The two forms.

    private static int size(LimitState state) {
        return state.more != null ? list(state).size() : state.amount > 0 ? 1 : 0;
    }

    private static long start(LimitState state, int i) {
        return state.more == null ? state.instant : list(state).stamp(i);
    }

    private static long count(LimitState state, int i) {
        return state.more == null ? state.amount : list(state).weight(i);
    }

    private static void add(LimitState state, long now, long start, long permits) {
        if (state.more == null && start - now <= 0 && (state.amount == 0 || state.instant == start)) {
            state.instant = start;
            state.amount += Math.min(permits, Long.MAX_VALUE - state.amount); // several windows may become one
            return;
        }
        RunList windows = list(state);
        int i = windows.find(start);
        windows.add(start, i < 0 ? permits : Math.min(permits, Long.MAX_VALUE - windows.weight(i)));
    }

    private static void refund(LimitState state, long start, long permits) {
        if (state.more == null) {
            state.amount -=
                    state.instant == start ? Math.min(permits, state.amount) : 0; // none if the window has ended
            return;
        }
        RunList windows = list(state);
        int i = windows.find(start);
        if (i >= 0) {
            windows.addWeight(i, -permits);
        }
        // An empty window stays while a later one has grants: another one could open in between and overlap both.
        for (int last = windows.size() - 1; last >= 0 && windows.weight(last) == 0; last--) {
            windows.remove(last);
        }
    }

    /** Removes the windows that have ended. */
    private void prune(LimitState state, long now) {
        if (state.more == null) {
            if (now - state.instant >= length) {
                state.amount = 0;
            }
            return;
        }
        RunList windows = list(state);
        windows.removeFirst(windows.after(0, now, -length));
        if (windows.isEmpty()) {
            state.clear(now);
        } else if (windows.size() == 1 && windows.stamp(0) - now <= 0) {
            state.instant = windows.stamp(0);
            state.amount = windows.weight(0);
            state.more = null;
        }
    }

    private static RunList list(LimitState state) {
        if (state.more == null) {
            RunList windows = new RunList();
            if (state.amount > 0) {
                windows.add(state.instant, state.amount);
            }
            state.more = windows;
        }
        return (RunList) state.more;
    }
}
