package dev.weir.algorithm;

import static dev.weir.algorithm.LongMath.expiresAfter;

/**
 * The general form of a window log: any number of runs, pending reservations, refunds, and a window that was wider before. A
 * grant at once and the removal of what expired take constant time; other steps skip over blocks of runs and look at each pending
 * reservation at most once.
 */
/*
 * Runs are appended to the past at its end, except for a few runs of one tick. The edge is the latest stamp of a grant at once,
 * which may be the end of the present tick.
 *
 * Let seen(e) be the latest stamp that counts at an instant e: visible(e), or the edge if that is later. The weight at e is that
 * of all runs with e - window < stamp <= seen(e). A run whose whole tick is seen is in the past; later ones are pending. Permits
 * fit at e if there is room in the weight at e and at every pending stamp after e and before e + window. The weight at an instant
 * only falls where a run expires, so the earliest fitting instant is the first requested one, or stamp + window of some run.
 */
final class RunLog implements LogForm, LimitState.Details {
    /** The weight in a state of this form, so that most decisions need not read the memory of the object itself. */
    static final int MARK = -1;

    private final PastRuns past;
    private long edge;
    private long forgotten; // no run up to this instant counts, in any window, if the window has ever grown
    private boolean hasGrown;
    private long window;
    private long widest;
    private Ticks ticks;
    private final SortedRuns pending;

    RunLog(long window, Ticks ticks, long now) {
        this.window = window;
        this.widest = window;
        this.ticks = ticks;
        this.edge = now;
        this.past = new PastRuns();
        this.pending = new SortedRuns();
    }

    private RunLog(RunLog other) {
        past = new PastRuns(other.past);
        edge = other.edge;
        forgotten = other.forgotten;
        hasGrown = other.hasGrown;
        window = other.window;
        widest = other.widest;
        ticks = other.ticks;
        pending = other.pending.copy();
    }

    @Override
    public RunLog copy() {
        return new RunLog(this);
    }

    /** Returns the stamp of the counted or pending run in which a permit lies, counted from the oldest. */
    private long stampOf(long permit) {
        return permit <= past.counted()
                ? past.stampOf(permit)
                : pending.stamp(pending.holding(permit - past.counted()));
    }

    /** Reduces the oldest runs if the total weight would overflow: the newer runs deny all requests for longer. */
    private void makeRoomFor(long weight) {
        past.reduceOldest(past.kept() + pending.weight() - (Long.MAX_VALUE - weight));
    }

    private void insert(long stamp, long weight) {
        makeRoomFor(weight);
        past.add(stamp, weight);
    }

    // Queries.

    private long seen(long instant) {
        return LongMath.later(edge, ticks.visible(instant));
    }

    /** Returns the weight of all runs that count or are pending. */
    long total() {
        return past.counted() + pending.weight();
    }

    @Override
    public boolean hasPending() {
        return !pending.isEmpty();
    }

    @Override
    public boolean canReserve(long now, long wait, long permits) {
        int future = pending.size() - pending.countUpTo(seen(now));
        long stamp = stampAfter(now, wait);
        boolean hasRoom = future < Algorithm.MAX_PENDING || past.hasRunAt(stamp) || pending.find(stamp) >= 0;
        return hasRoom && permits <= Long.MAX_VALUE - total();
    }

    private boolean isEmpty() {
        return past.kept() == 0 && pending.isEmpty();
    }

    /** Returns the weight at an instant, which is given as a wait. */
    private long weightAt(long now, long wait) {
        long weight = past.counted() + pending.weightOfFirst(pending.countUpTo(seen(now + wait)));
        if (wait > 0) {
            weight -= past.weightUpTo(now, wait - window);
        }
        if (wait > window) {
            weight -= pending.weightOfFirst(pending.countUpTo(now, wait - window));
        }
        return weight;
    }

    @Override
    public boolean prune(LimitState state, long now) {
        settle(now);
        past.prune(now, window, widest);
        if (isEmpty()) {
            state.clear(now);
            return false;
        }
        return true;
    }

    /** Moves reservations that are seen from the pending ones to the past. */
    private void settle(long now) {
        while (!pending.isEmpty() && pending.stamp(0) - seen(now) <= 0) {
            long stamp = pending.stamp(0);
            long weight = pending.weight(0);
            pending.removeFirst();
            long settled = settle(stamp, weight);
            if (settled != stamp) {
                pending.addCounted(stamp + window, settled + window, weight);
            }
        }
    }

    /** Adds a reservation that waited to the past. Returns its stamp there. */
    private long settle(long stamp, long weight) {
        long settled = settled(stamp);
        insert(settled, weight);
        return settled;
    }

    /** Returns the stamp in the past of a reservation that waits: its own, or that of its tick if there are too many runs. */
    private long settled(long stamp) {
        if (past.size() <= widest / ticks.length() + 2 * Algorithm.MAX_PENDING) {
            return stamp;
        }
        long rounded = ticks.stamp(stamp);
        edge = LongMath.later(edge, rounded);
        return rounded;
    }

    @Override
    public long counted(LimitState state) {
        return past.counted();
    }

    @Override
    public long newest(LimitState state) {
        return pending.isEmpty() ? past.newest() : pending.stamp(pending.size() - 1);
    }

    @Override
    public long oldest(LimitState state) {
        return past.oldest();
    }

    @Override
    public long newestWeight(LimitState state) {
        return past.newestWeight();
    }

    @Override
    public boolean isIdle(LimitState state, long now) {
        return isEmpty() || now - newest(state) >= widest;
    }

    @Override
    public long peak(LimitState state, long now, long most) {
        long weight = weightAt(now, 0);
        if (weight >= most || pending.isEmpty()) {
            return weight;
        }
        return Math.max(weight, pending.highest(pending.countUpTo(now, 0), pending.countUpTo(now, window - 1), most));
    }

    @Override
    public long earliest(LimitState state, long now, long from, long most, long permits) {
        long room = most - permits;
        if (!pending.isEmpty()) {
            return permits > Long.MAX_VALUE - total() ? Algorithm.NEVER : earliestAmongPending(now, from, room);
        }
        return fitAfter(now, from, 0, room);
    }

    /**
     * No instant fits within a window before a reservation that leaves no room, so the search starts at the latest such one.
     * From there it looks for the next expiry that makes room. It visits each pending reservation once.
     */
    private long earliestAmongPending(long now, long from, long room) {
        long at = from;
        boolean fits = weightAt(now, at) <= room;
        boolean full = false; // whether a reservation at this very instant leaves no room
        int checked = pending.countUpTo(now, at); // the reservations before this one have expired, or leave room
        while (true) {
            long reach = at > Algorithm.NEVER - window ? Algorithm.NEVER : full ? at + window : at + window - 1;
            int reached = pending.countUpTo(now, reach, checked);
            int latest = pending.latestAbove(room, checked, reached);
            checked = reached;
            if (latest < 0 && fits) {
                return at;
            }
            if (latest < 0) {
                int unseen = pending.countUpTo(seen(now + at));
                long fit = fitAfter(now, at, unseen, room);
                if (unseen < pending.size() && fit >= ticks.firstSeeing(pending.stamp(unseen)) - now) {
                    if (pending.counted(unseen) > room) {
                        latest = unseen;
                        checked = Math.max(checked, unseen + 1);
                    } else { // it fits with the reservations of that tick, and no later than the first of them
                        int tick = pending.countUpTo(seen(pending.stamp(unseen)));
                        fit = fitAfter(now, ticks.firstSeeing(pending.stamp(unseen)) - now, tick, room);
                    }
                }
                if (latest < 0 && fit == Algorithm.NEVER) {
                    return fit;
                }
                at = fit;
            }
            fits = latest < 0;
            full = latest >= 0;
            at = full ? pending.stamp(latest) - now : at;
        }
    }

    /** Returns the least wait of {@code from} or longer at which enough of the past and of the first reservations expired. */
    private long fitAfter(long now, long from, int reservations, long room) {
        long excess = past.counted() + pending.weightOfFirst(reservations) - room;
        return excess <= 0 ? from : Math.max(from, expiresAfter(stampOf(excess), now, window));
    }

    // Changes.

    /** Returns the stamp of a grant after a wait: not before the end of the past, nor at an instant that has expired. */
    private long stampAfter(long now, long wait) {
        if (!ticks.atStart()) {
            return wait == 0 ? LongMath.later(edge, ticks.stamp(now)) : now + wait;
        }
        long stamp = ticks.stamp(now + wait);
        long counting = hasGrown ? LongMath.later(forgotten + 1, stamp) : stamp;
        return past.size() == 0 ? counting : LongMath.later(past.newest(), counting);
    }

    @Override
    public boolean add(LimitState state, long now, long permits) {
        addAt(stampAfter(now, 0), permits);
        return true;
    }

    void addAt(long stamp, long permits) {
        edge = LongMath.later(edge, stamp);
        insert(stamp, permits);
        count(stamp, permits);
    }

    /** Adds permits to the weight at the pending reservations that see a stamp. */
    private void count(long stamp, long permits) {
        if (!pending.isEmpty()) {
            pending.addCounted(ticks.firstSeeing(stamp), stamp + window, permits);
        }
    }

    /** Adds permits that are granted after a wait. Returns their stamp. */
    long reserve(long now, long wait, long permits) {
        long stamp = stampAfter(now, wait);
        if (wait == 0) {
            addAt(stamp, permits);
            return stamp;
        }
        if (stamp - seen(now) <= 0) {
            stamp = settle(stamp, permits);
        } else {
            makeRoomFor(permits);
            pending.add(stamp, permits, weightAt(now, stamp - now));
        }
        count(stamp, permits);
        return stamp;
    }

    /** Refunds permits that were granted at a stamp. Has no effect if that was removed. */
    void refund(long stamp, long permits) {
        int ahead = past.hasRunAt(stamp) ? -1 : pending.find(stamp);
        if (past.reduce(stamp, permits)) {
            count(stamp, -permits);
        } else if (ahead >= 0 && pending.weight(ahead) >= permits) {
            count(stamp, -permits);
            pending.reduce(ahead, permits);
        }
    }

    /** Removes the oldest runs while the others that count now still have at least the given weight. */
    void keepNewest(long now, long weight) {
        long excess = past.counted() + pending.weightOfFirst(pending.countUpTo(seen(now))) - weight;
        if (excess > 0) {
            past.removeOldest(excess);
        }
    }

    /** Continues under a changed limit: the remaining runs count in the new window at once. */
    void change(long now, long window, Ticks ticks) {
        this.window = window;
        this.ticks = ticks;
        if (window > widest) {
            forgotten = hasGrown ? LongMath.later(forgotten, now - widest) : now - widest;
            hasGrown = true;
            widest = window;
        }
        past.countIn(now, window);
        for (; !past.countsNothing() && past.newest() - seen(now) > 0; past.removeNewest()) {
            if (past.newestWeight() > 0) {
                pending.add(past.newest(), past.newestWeight(), 0);
            }
        }
        past.removeEmpty();
        recount(now);
    }

    /** Recomputes the weight that counts at the stamps of pending reservations. */
    private void recount(long now) {
        PastRuns.Decline decline = past.new Decline(window);
        for (int i = 0; i < pending.size(); i++) {
            long ahead = pending.stamp(i) - now;
            int seen = pending.countUpTo(seen(pending.stamp(i)));
            int over = ahead > window ? pending.countUpTo(pending.stamp(i) - window) : 0;
            pending.setCounted(i, decline.at(now, ahead) + pending.weightOfFirst(seen) - pending.weightOfFirst(over));
        }
    }

    @Override
    public void forEachRun(LimitState state, long now, Algorithm.RunVisitor visitor) {
        past.forEach(visitor);
        for (int i = 0; i < pending.size(); i++) {
            visitor.visit(pending.stamp(i), pending.weight(i), pending.stamp(i) - seen(now) > 0);
        }
    }
}
