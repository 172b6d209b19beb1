package dev.weir.algorithm;

import dev.weir.Accounting.Method;
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
 * still lasts; otherwise it opens one, at the clock's multiple or at itself. The memory's pair of numbers is the only
 * window; a second one, or a booking that may be given back, turns it into Runs. When the length changes, a window that
 * still lasts by the old one goes on by the new one: in the clock's present window, or, if it would be over, from now. Its
 * requests may all have come just now. What was booked before is not given back then: its window may have another start.
 */
final class FixedWindow implements Algorithm {
    private static final Runs NONE = new Windows();

    private final Limit limit;
    private final long length;
    private final boolean clock;

    FixedWindow(Limit limit) {
        this.limit = limit;
        this.length = limit.windowNanos();
        this.clock = limit.accounting().method() == Method.CLOCK_WINDOWS;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    private static Runs windows(Memory memory) {
        if (memory.more != null) {
            return (Runs) memory.more;
        }
        return memory.amount == 0 ? NONE : opened(memory);
    }

    private static Runs opened(Memory memory) {
        if (memory.more == null) {
            Runs windows = new Windows();
            if (memory.amount > 0) {
                windows.add(memory.instant, memory.amount);
            }
            memory.more = windows;
        }
        return (Runs) memory.more;
    }

    private void prune(Memory memory, long now) {
        if (memory.more == null) {
            if (now - memory.instant >= length) {
                memory.amount = 0;
            }
            return;
        }
        Runs windows = windows(memory);
        while (!windows.isEmpty() && now - windows.stamp(0) >= length) {
            windows.drop(0);
        }
        if (windows.isEmpty()) {
            memory.clear(now);
        }
    }

    @Override
    public long earliest(Memory memory, long now, long from, long permits) {
        long room = limit.permits() - permits;
        if (room < 0) {
            return NEVER;
        }
        prune(memory, now);
        if (memory.more == null && (memory.amount <= room || from == 0)) {
            return memory.amount <= room ? from : end(memory.instant, now);
        }
        Runs windows = windows(memory);
        long at = from;
        for (int i = covering(windows, now + at); i >= 0 && windows.weight(i) > room; i = covering(windows, now + at)) {
            at = end(windows.stamp(i), now);
            if (!clock && i + 1 < windows.size()) {
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
    public boolean canBook(Memory memory, long now, long wait, long permits) {
        if (wait == 0 || covering(windows(memory), now + wait) >= 0) {
            return true;
        }
        return wait < NEVER - length
                && windows(memory).size() < MAX_PENDING
                && (clock || wait == earliest(memory, now, 0, permits));
    }

    @Override
    public void book(Memory memory, long now, long wait, long permits) {
        boolean open = memory.amount > 0 && now + wait - memory.instant < length;
        if (memory.more == null && open) {
            memory.amount += permits;
        } else if (memory.more == null && memory.amount == 0 && wait == 0) {
            memory.instant = opening(now);
            memory.amount = permits;
        } else {
            Runs windows = opened(memory);
            windows.add(start(windows, now + wait), permits);
        }
    }

    @Override
    public GiveBack reserve(Memory memory, long now, long wait, long permits) {
        prune(memory, now);
        Runs windows = opened(memory);
        long start = start(windows, now + wait);
        windows.add(start, permits);
        return back -> {
            int i = windows.find(start);
            if (i >= 0) {
                windows.take(i, back);
            }
        };
    }

    @Override
    public long remaining(Memory memory, long now) {
        prune(memory, now);
        if (memory.more == null) {
            return Math.max(0, limit.permits() - memory.amount);
        }
        Runs windows = windows(memory);
        int i = covering(windows, now);
        return i < 0 ? limit.permits() : Math.max(0, limit.permits() - windows.weight(i));
    }

    @Override
    public long resetAfter(Memory memory, long now) {
        prune(memory, now);
        if (memory.more == null) {
            return memory.amount == 0 ? 0 : end(memory.instant, now);
        }
        return end(windows(memory).newest(), now);
    }

    @Override
    public boolean idle(Memory memory, long now) {
        if (memory.more == null) {
            return memory.amount == 0 || now - memory.instant >= length;
        }
        Runs windows = windows(memory);
        return windows.isEmpty() || now - windows.newest() >= length;
    }

    @Override
    public boolean adopt(Memory memory, Algorithm before, long now) {
        if (!(before instanceof FixedWindow last)) {
            return false;
        }
        if (last.length == length && last.clock == clock) {
            return true;
        }
        last.prune(memory, now);
        Runs windows = windows(memory);
        memory.clear(now);
        for (int i = 0; i < windows.size(); i++) {
            boolean over = now - windows.stamp(i) >= length;
            long from = windows.stamp(i) - now > 0 ? windows.stamp(i) : now;
            opened(memory).add(clock ? aligned(from) : over ? now : windows.stamp(i), windows.weight(i));
        }
        return true;
    }

    @Override
    public void forEachRun(Memory memory, long now, RunVisitor visitor) {
        prune(memory, now);
        Runs windows = windows(memory);
        for (int i = 0; i < windows.size(); i++) {
            visitor.visit(windows.stamp(i), windows.weight(i), windows.stamp(i) - now > 0);
        }
    }

    /** A change of length moves counts to other windows, so two lengths by turns would forget. */
    @Override
    public boolean canAlternate(Limit other) {
        Method method = other.accounting().method();
        boolean windows = method == Method.CLOCK_WINDOWS || method == Method.FIRST_WINDOWS;
        return !windows || other.accounting().equals(limit.accounting());
    }

    /** The window that an event at this instant joins, or -1 if it opens one. */
    private int covering(Runs windows, long instant) {
        int latest = windows.countUpTo(instant) - 1;
        return latest >= 0 && instant - windows.stamp(latest) < length ? latest : -1;
    }

    private long start(Runs windows, long instant) {
        int i = covering(windows, instant);
        return i >= 0 ? windows.stamp(i) : opening(instant);
    }

    private long opening(long instant) {
        return clock ? aligned(instant) : instant;
    }

    private long aligned(long instant) {
        return instant - Math.floorMod(instant, length);
    }

    private long end(long start, long now) {
        long ahead = start - now;
        return ahead > NEVER - length ? NEVER : ahead + length;
    }
}
