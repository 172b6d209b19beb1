package dev.weir.algorithm;

/**
 * A log of what was booked, as runs sorted by instant: what the sliding log and the sliding window share. They differ in
 * the stamp that a booking gets.
 *
 * <p>An admission with nothing pending costs constant time. A denial reads on from the oldest run until enough has left,
 * one run for one permit. With bookings in the future either costs one sweep over the log.
 */
/*
 * The weight counted at an instant e is S(e): the runs with e - window < stamp <= visible(e). Permits fit at z if S(z)
 * has room for them, and S(f) has for every stamp f that z would still count at: z < f < z + window. S only falls where
 * a run leaves, so the least fitting instant is the first asked for or some stamp + window.
 *
 * Immediate bookings may bear a stamp after now (the end of their tick). `edge` is the latest such stamp: up to it every
 * run counts, and what is newer is pending. It also serves a clock that stepped back, when it moves to the newest stamp.
 */
abstract class Log implements Algorithm {
    private Runs runs = new Runs();
    private int expired; // the oldest runs that the present window counts no more, kept for a wider one
    private long total; // weight of all the other runs, pending ones included
    private long edge;
    private long widest;

    Log(long now, long window) {
        edge = now;
        widest = window;
    }

    /** The window's length in nanoseconds, margin included. */
    abstract long window();

    /** The length of a tick in nanoseconds. */
    abstract long tick();

    /** The end of the tick in which an instant lies: the instant itself, if it lies on one. */
    final long tickEnd(long instant) {
        return instant + Math.floorMod(-instant, tick());
    }

    /** The stamp of permits that go at once. */
    abstract long stamp(long now);

    /** The stamp of permits that wait until {@code instant}. */
    abstract long stampOfWaiter(long instant);

    /** The latest stamp that is counted at an instant. */
    abstract long visible(long instant);

    @Override
    public long earliest(long now, long from, long permits) {
        long room = limit().permits() - permits;
        if (room < 0) {
            return NEVER;
        }
        prune(now);
        if (hasPending(now)) {
            return permits > Long.MAX_VALUE - total ? NEVER : sweep(now, from, room);
        }
        long excess = total - room; // with nothing pending it only ever gets less
        long wait = 0;
        for (int i = expired; excess > 0; i++) {
            excess -= runs.weight(i);
            wait = leavesAfter(i, now);
        }
        return Math.max(from, wait);
    }

    private long sweep(long now, long from, long room) {
        Cursor here = new Cursor(now);
        Cursor ahead = new Cursor(now);
        int checked = 0; // runs before this one have room, or lie behind
        int leaving = 0;
        long at = from;
        while (true) {
            boolean fits = Long.compareUnsigned(here.weightAt(at), room) <= 0;
            while (fits && checked < runs.size()) {
                long later = runs.stamp(checked) - now;
                if (later > at && later - at >= window()) {
                    break;
                }
                if (later > at && Long.compareUnsigned(ahead.weightAt(later), room) > 0) {
                    fits = false;
                    at = later;
                }
                checked++;
            }
            if (fits) {
                return at;
            }
            while (leavesAfter(leaving, now) <= at) {
                leaving++;
            }
            at = leavesAfter(leaving, now);
            if (at == NEVER) {
                return NEVER;
            }
        }
    }

    @Override
    public boolean canBook(long now, long wait, long permits) {
        if (wait == 0) {
            return true;
        }
        return wait < NEVER - window()
                && permits <= Long.MAX_VALUE - total
                && (runs.size() - settledRuns(now) < MAX_PENDING || runs.find(stampOfWaiter(now + wait)) >= 0);
    }

    @Override
    public void book(long now, long wait, long permits) {
        if (wait == 0) {
            long stamp = stamp(now);
            edge = latest(edge, stamp);
            add(stamp, permits);
        } else {
            add(stampOfWaiter(now + wait), permits);
            if (runs.size() > widest / tick() + 2 * MAX_PENDING) {
                mergeSettled(now);
            }
        }
    }

    private void add(long stamp, long permits) {
        runs.add(stamp, permits);
        total += permits;
    }

    @Override
    public GiveBack reserve(long now, long wait, long permits) {
        long stamp = wait == 0 ? stamp(now) : stampOfWaiter(now + wait);
        book(now, wait, permits);
        return back -> giveBack(stamp, back);
    }

    private void giveBack(long stamp, long permits) {
        int i = runs.find(stamp);
        if (i < 0 || runs.weight(i) < permits) {
            return; // it has left
        }
        int before = runs.size();
        runs.take(i, permits);
        if (i >= expired) {
            total -= permits;
        } else {
            expired -= before - runs.size();
        }
    }

    /** The weight of all runs that the present window counts, and of the pending ones. */
    final long total() {
        return total;
    }

    /** Drops the oldest runs while the rest, up to now, still weigh so much; what is pending stays and does not count. */
    final void keepNewest(long permits, long now) {
        long settled = total;
        for (int i = settledRuns(now); i < runs.size(); i++) {
            settled -= runs.weight(i);
        }
        while (settled - runs.weight(expired) >= permits) {
            settled -= runs.weight(expired);
            total -= runs.weight(expired);
            runs.drop(expired);
        }
    }

    /** How many runs are counted now, or were before; the others are pending. */
    private int settledRuns(long now) {
        return runs.countUpTo(latest(edge, visible(now)));
    }

    /**
     * Merges what waiters left behind into ticks, where another limit had given each an instant of its own. Their
     * reservations then give nothing back any more.
     */
    private void mergeSettled(long now) {
        Runs merged = new Runs();
        for (int i = 0; i < runs.size(); i++) {
            long stamp = runs.stamp(i) - now <= 0 ? stamp(runs.stamp(i)) : runs.stamp(i);
            edge = runs.stamp(i) - now <= 0 ? latest(edge, stamp) : edge;
            merged.add(stamp, runs.weight(i));
        }
        runs = merged;
        rewindow(now);
    }

    @Override
    public long remaining(long now) {
        prune(now);
        long peak = total;
        if (hasPending(now)) {
            Cursor cursor = new Cursor(now);
            peak = cursor.weightAt(0);
            for (int i = runs.countUpTo(now); i < runs.size() && runs.stamp(i) - now < window(); i++) {
                peak = Math.max(peak, cursor.weightAt(runs.stamp(i) - now));
            }
        }
        return Math.max(0, limit().permits() - peak);
    }

    @Override
    public long resetAfter(long now) {
        prune(now);
        return runs.size() == expired ? 0 : leavesAfter(runs.size() - 1, now);
    }

    @Override
    public boolean idle(long now) {
        prune(now);
        return runs.isEmpty();
    }

    /** Counts anew: what is still kept counts by the present window at once. */
    final void rewindow(long now) {
        widest = Math.max(widest, window());
        expired = 0;
        total = 0;
        for (int i = 0; i < runs.size(); i++) {
            total += runs.weight(i);
        }
        prune(now);
    }

    @Override
    public void clockStepped() {
        if (!runs.isEmpty()) {
            edge = latest(edge, runs.newest());
        }
    }

    /** Lets go of what has left the window, and of what has left the widest. */
    final void prune(long now) {
        long window = window();
        while (expired < runs.size() && now - runs.stamp(expired) >= window) {
            total -= runs.weight(expired++);
        }
        while (expired > 0 && now - runs.stamp(0) >= widest) {
            runs.drop(0);
            expired--;
        }
    }

    private boolean hasPending(long now) {
        return !runs.isEmpty() && runs.newest() - edge > 0 && runs.newest() - visible(now) > 0;
    }

    private long leavesAfter(int run, long now) {
        long ahead = runs.stamp(run) - now;
        return ahead > NEVER - window() ? NEVER : ahead + window();
    }

    private static long latest(long a, long b) {
        return a - b >= 0 ? a : b;
    }

    /** Walks S(e) over rising instants e, given as waits after {@code now}. */
    private final class Cursor {
        private final long now;
        private int left;
        private int right;
        private long weight;

        Cursor(long now) {
            this.now = now;
        }

        long weightAt(long wait) {
            long instant = now + wait;
            long seen = (instant - edge <= 0 ? latest(edge, visible(instant)) : visible(instant)) - now;
            while (right < runs.size() && runs.stamp(right) - now <= seen) {
                weight += runs.weight(right++);
            }
            while (left < right && runs.stamp(left) - now <= wait - window()) {
                weight -= runs.weight(left++);
            }
            return weight;
        }
    }
}
