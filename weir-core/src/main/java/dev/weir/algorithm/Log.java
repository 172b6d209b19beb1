package dev.weir.algorithm;

import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The rule of a log of what was booked, as runs sorted by instant: what the sliding log and the sliding window share. They
 * differ in the stamp that a booking gets.
 *
 * <p>An admission with nothing pending costs constant time. A denial reads on from the oldest run until enough has left,
 * one run for one permit. With bookings in the future either costs one sweep over the log.
 */
/*
 * A log that only ever booked at once, a few permits a tick, is a FineLog. Whatever else turns it into a Ledger, until it
 * is empty again.
 *
 * The weight counted at an instant e is S(e): the runs with e - window < stamp <= visible(e). Permits fit at z if S(z)
 * has room for them, and S(f) has for every stamp f that z would still count at: z < f < z + window. S only falls where
 * a run leaves, so the least fitting instant is the first asked for or some stamp + window.
 */
abstract class Log implements Algorithm {
    private final Limit limit;
    private final long most;
    final long window; // margin included
    final long tick;
    private final boolean mayBeFine;

    Log(Limit limit, long window, long tick) {
        this.limit = limit;
        this.most = limit.permits();
        this.window = window;
        this.tick = tick;
        this.mayBeFine = window / tick < FineLog.MOST_TICKS;
    }

    @Override
    public final Limit limit() {
        return limit;
    }

    /** The end of the tick in which an instant lies: the instant itself, if it lies on one. */
    final long tickEnd(long instant) {
        return instant + Math.floorMod(-instant, tick);
    }

    /** The stamp of permits that go at once. */
    abstract long stamp(long now);

    /** The stamp of permits that wait until {@code instant}. */
    abstract long stampOfWaiter(long instant);

    /** The first instant at which permits that go at once get a later stamp than this one. */
    abstract long tickAfter(long stamp);

    /** The latest stamp that is counted at an instant. */
    abstract long visible(long instant);

    private static @Nullable Ledger ledger(Memory memory) {
        return memory.more instanceof Ledger ledger ? ledger : null;
    }

    /** Lets go of what has left. */
    private void prune(Memory memory, long now) {
        Ledger ledger = ledger(memory);
        if (ledger == null) {
            FineLog.prune(memory, now, window, tick);
            return;
        }
        ledger.prune(now, window);
        if (ledger.isEmpty()) {
            if (ledger.mayServeMoreThan(window)) {
                ledger.edge = now;
            } else {
                memory.clear(now);
            }
        }
    }

    private Ledger opened(Memory memory, long now) {
        Ledger open = ledger(memory);
        if (open != null) {
            return open;
        }
        Ledger ledger = new Ledger(window, now);
        FineLog.forEach(memory, tick, ledger::bookNow);
        memory.more = ledger;
        return ledger;
    }

    @Override
    public final long earliest(Memory memory, long now, long from, long permits) {
        long room = most - permits;
        if (room < 0) {
            return NEVER;
        }
        prune(memory, now);
        Ledger ledger = ledger(memory);
        if (ledger == null) {
            long excess = memory.amount - room;
            return excess <= 0 ? from : Math.max(from, leavesAfter(FineLog.stampOf(memory, excess, tick), now));
        }
        if (hasPending(ledger, now)) {
            return permits > Long.MAX_VALUE - ledger.total()
                    ? NEVER
                    : new Sweep(this, ledger, now).earliest(from, room);
        }
        long excess = ledger.total() - room; // with nothing pending it only ever gets less
        long wait = 0;
        for (int i = ledger.first(); excess > 0; i++) {
            excess -= ledger.weight(i);
            wait = leavesAfter(ledger.stamp(i), now);
        }
        return Math.max(from, wait);
    }

    @Override
    public final boolean canBook(Memory memory, long now, long wait, long permits) {
        if (wait == 0) {
            return true;
        }
        if (!mayWait() || wait >= NEVER - window) {
            return false;
        }
        Ledger ledger = ledger(memory);
        return ledger == null
                || (permits <= Long.MAX_VALUE - ledger.total()
                        && (ledger.size() - settled(ledger, now) < MAX_PENDING
                                || ledger.find(stampOfWaiter(now + wait)) >= 0));
    }

    /** Whether permits may be booked ahead. */
    boolean mayWait() {
        return true;
    }

    @Override
    public final long take(Memory memory, long now, long permits) {
        Ledger ledger = ledger(memory);
        if (ledger == null || !ledger.isSteadyAt(now)) {
            return takeAnew(memory, now, permits);
        }
        long room = most - ledger.total();
        if (room < permits) {
            return DENIED;
        }
        ledger.join(permits);
        return room - permits;
    }

    private long takeAnew(Memory memory, long now, long permits) {
        prune(memory, now);
        Ledger ledger = ledger(memory);
        if (ledger != null && hasPending(ledger, now)) {
            return Algorithm.super.take(memory, now, permits);
        }
        long room = most - (ledger == null ? memory.amount : ledger.total());
        if (room < permits) {
            return DENIED;
        }
        long stamp = stamp(now);
        bookNow(memory, now, stamp, permits);
        ledger = ledger(memory);
        if (ledger != null && stamp == ledger.edge && stamp == ledger.newest()) {
            long firstLeaves = leavesAfter(ledger.stamp(ledger.first()), now);
            ledger.steadyUntil(now + Math.min(firstLeaves, tickAfter(stamp) - now));
        }
        return room - permits;
    }

    @Override
    public final void book(Memory memory, long now, long wait, long permits) {
        if (wait == 0) {
            bookNow(memory, now, stamp(now), permits);
        } else {
            Ledger ledger = opened(memory, now);
            ledger.bookAhead(stampOfWaiter(now + wait), permits);
            if (ledger.size() > ledger.mostTicks(tick) + 2 * MAX_PENDING) {
                ledger.mergeSettled(this, now); // then what waiters left behind is not given back any more
            }
        }
    }

    private void bookNow(Memory memory, long now, long stamp, long permits) {
        if (!mayBeFine || memory.more instanceof Ledger || !FineLog.book(memory, stamp, permits, tick)) {
            opened(memory, now).bookNow(stamp, permits);
        }
    }

    @Override
    public GiveBack reserve(Memory memory, long now, long wait, long permits) {
        prune(memory, now);
        long stamp = wait == 0 ? stamp(now) : stampOfWaiter(now + wait);
        Ledger ledger = opened(memory, now);
        book(memory, now, wait, permits);
        return back -> ledger.giveBack(stamp, back);
    }

    /** Books although it does not fit, and drops the oldest while the rest weigh enough to deny. */
    final void logDenied(Memory memory, long now, long permits) {
        prune(memory, now);
        Ledger ledger = opened(memory, now);
        long logged = Math.min(permits, Long.MAX_VALUE - ledger.total()); // beyond that it denies as it is
        if (logged > 0) {
            book(memory, now, 0, logged);
            ledger.keepNewest(most, settled(ledger, now));
        }
    }

    @Override
    public final long remaining(Memory memory, long now) {
        prune(memory, now);
        Ledger ledger = ledger(memory);
        if (ledger == null) {
            return Math.max(0, most - memory.amount);
        }
        long peak = hasPending(ledger, now) ? new Sweep(this, ledger, now).peak() : ledger.total();
        return Math.max(0, most - peak);
    }

    @Override
    public final long resetAfter(Memory memory, long now) {
        Ledger ledger = ledger(memory);
        if (ledger != null && ledger.isSteadyAt(now)) {
            return leavesAfter(ledger.edge, now);
        }
        return resetAfterPruned(memory, now);
    }

    private long resetAfterPruned(Memory memory, long now) {
        prune(memory, now);
        Ledger ledger = ledger(memory);
        if (ledger == null) {
            return memory.amount == 0 ? 0 : leavesAfter(memory.instant, now);
        }
        return ledger.countsNothing() ? 0 : leavesAfter(ledger.newest(), now);
    }

    @Override
    public final boolean idle(Memory memory, long now) {
        Ledger ledger = ledger(memory);
        return ledger == null ? memory.amount == 0 || now - memory.instant >= window : ledger.isOverAt(now);
    }

    @Override
    public final boolean adopt(Memory memory, Algorithm before, long now) {
        if (!before.getClass().equals(getClass())) {
            return false;
        }
        if (!before.limit().equals(limit)) {
            Log log = (Log) before;
            log.prune(memory, now);
            log.opened(memory, now).rewindow(now, window);
            prune(memory, now);
        }
        return true;
    }

    @Override
    public final void forEachRun(Memory memory, long now, RunVisitor visitor) {
        prune(memory, now);
        Ledger ledger = ledger(memory);
        if (ledger == null) {
            FineLog.forEach(memory, tick, (stamp, weight) -> visitor.visit(stamp, weight, false));
            return;
        }
        int settled = settled(ledger, now);
        for (int i = ledger.first(); i < ledger.size(); i++) {
            visitor.visit(ledger.stamp(i), ledger.weight(i), i >= settled);
        }
    }

    private boolean hasPending(Ledger ledger, long now) {
        if (ledger.isEmpty() || ledger.newest() - ledger.edge <= 0) {
            return false;
        }
        return ledger.newest() - visible(now) > 0;
    }

    /** How many runs are counted now, or were before; the others are pending. */
    private int settled(Ledger ledger, long now) {
        return ledger.countUpTo(latest(ledger.edge, visible(now)));
    }

    /** The wait until a stamp has left the window. */
    final long leavesAfter(long stamp, long now) {
        long ahead = stamp - now;
        return ahead > NEVER - window ? NEVER : ahead + window;
    }

    static long latest(long a, long b) {
        return a - b >= 0 ? a : b;
    }
}
