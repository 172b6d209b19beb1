package dev.weir.algorithm;

import static dev.weir.algorithm.LogForm.expiresAfter;

/**
 * The general form of a window log: any number of runs, pending reservations, refunds, and a window that was wider before. A
 * grant at once and the removal of what expired take constant time; other steps skip over blocks of runs and look at each pending
 * reservation at most once.
 */
/*
 * The past is a list of runs that grows at its end, give or take a few runs of one tick.
 *
 *     start        the oldest run that a window as wide as the widest may count
 *     first        the oldest run that the present window counts
 *     edge         the latest stamp that a grant at once got, maybe the end of the present tick
 *
 * Let seen(e) be the latest stamp that counts at an instant e: visible(e), or the edge if that is later. The weight at e is that
 * of all runs with e - window < stamp <= seen(e). A run whose whole tick is seen is in the past; later ones are pending. Permits
 * fit at e if there is room in the weight at e and at every pending stamp after e and before e + window. The weight at an instant
 * only falls where a run expires, so the least fitting instant is the first one asked for, or stamp + window of some run.
 */
final class RunLog implements LogForm, LimitState.Details {
    /** The weight in a state with this form: a look at the object itself would read memory that most decisions do not need. */
    static final int MARK = -1;

    private final RunList past;
    private int start;
    private int first;
    private long counted; // the weight from `first` on
    private long kept; // the weight from `start` on
    private long edge;
    private long latestStamp; // of the grants at once, if there have been any
    private boolean hasStamped;
    private long window;
    private long widest;
    private Ticks ticks;
    private final Pending pending;

    RunLog(long window, Ticks ticks, long now) {
        this.window = window;
        this.widest = window;
        this.ticks = ticks;
        this.edge = now;
        this.past = new RunList();
        this.pending = new Pending();
    }

    private RunLog(RunLog other) {
        past = new RunList(other.past);
        start = other.start;
        first = other.first;
        counted = other.counted;
        kept = other.kept;
        edge = other.edge;
        latestStamp = other.latestStamp;
        hasStamped = other.hasStamped;
        window = other.window;
        widest = other.widest;
        ticks = other.ticks;
        pending = new Pending(other.pending);
    }

    @Override
    public RunLog copy() {
        return new RunLog(this);
    }

    // The past.

    private void addWeight(int i, long weight) {
        past.addWeight(i, weight);
        kept += weight;
        counted += i >= first ? weight : 0;
    }

    /** Returns the stamp of the counted or pending run in which a permit lies, counted from the oldest. */
    private long stampOf(long permit) {
        return permit <= counted
                ? past.stamp(past.holding(first, permit))
                : pending.stamp(pending.holding(permit - counted));
    }

    /** Adds a run to the past, at its end or a few runs before. */
    private void insert(long stamp, long weight) {
        makeRoomFor(weight);
        int i = past.add(start, stamp, weight);
        first = Math.min(first, i); // runs without weight may have been skipped
        kept += weight;
        counted += weight;
    }

    /** Reduces the oldest runs if the weight of all would overflow: what is newer denies everything for longer. */
    private void makeRoomFor(long weight) {
        long over = kept + pending.weight() - (Long.MAX_VALUE - weight);
        for (int i = start; over > 0 && i < past.size(); i++) {
            long removed = Math.min(over, past.weight(i));
            addWeight(i, -removed);
            over -= removed;
        }
    }

    /** Removes runs without weight from the end, and skips them at the start. */
    private void removeEmpty() {
        while (past.size() > start && past.weight(past.size() - 1) == 0) {
            past.removeLast();
        }
        first = past.skipEmpty(Math.min(first, past.size()));
    }

    // What counts.

    private long seen(long instant) {
        return LongMath.later(edge, ticks.visible(instant));
    }

    /** Returns the weight of all runs that count or are pending. */
    long total() {
        return counted + pending.weight();
    }

    /** Returns the number of instants in the future at which there are reservations. */
    int pendingInstants(long now) {
        return pending.size() - pending.countUpTo(seen(now));
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    boolean hasRunAt(long stamp) {
        return past.find(start, stamp) >= 0 || pending.find(stamp) >= 0;
    }

    private boolean isEmpty() {
        return kept == 0 && pending.isEmpty();
    }

    /** Returns the weight at an instant, which is given as a wait. */
    private long weightAt(long now, long wait) {
        long weight = counted + pending.weightOfFirst(pending.countUpTo(seen(now + wait)));
        if (wait > 0) {
            weight -= past.weight(first, past.after(first, now, wait - window));
        }
        if (wait > window) {
            weight -= pending.weightOfFirst(pending.countUpTo(now, wait - window));
        }
        return weight;
    }

    @Override
    public boolean prune(LimitState state, long now) {
        settle(now);
        if (start < past.size() && now - past.stamp(start) >= window) {
            expire(now);
        }
        if (isEmpty()) {
            state.clear(now);
            return false;
        }
        return true;
    }

    private void expire(long now) {
        int next = past.after(first, now, -window);
        counted -= past.weight(first, next);
        first = past.skipEmpty(next);
        next = widest == window ? first : past.after(start, now, -widest);
        kept -= past.weight(start, next);
        start = next;
        removeBlocks();
    }

    private void removeBlocks() {
        int removed = past.removeBlocksBefore(start);
        start -= removed;
        first -= removed;
    }

    /** Moves reservations whose tick has come from the pending ones to the past. */
    private void settle(long now) {
        while (!pending.isEmpty() && ticks.visible(pending.stamp(0)) - seen(now) <= 0) {
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
        if (ticks.atStart()) {
            stamped(settled);
        }
        return settled;
    }

    /** Returns the stamp in the past of a reservation that waits: its own, or that of its tick if there are too many runs. */
    private long settled(long stamp) {
        if (past.size() - start <= widest / ticks.length() + 2 * Algorithm.MAX_PENDING) {
            return stamp;
        }
        long rounded = ticks.stamp(stamp);
        edge = LongMath.later(edge, rounded);
        return rounded;
    }

    @Override
    public long counted(LimitState state) {
        return counted;
    }

    @Override
    public long newest(LimitState state) {
        return pending.isEmpty() ? past.stamp(past.size() - 1) : pending.stamp(pending.size() - 1);
    }

    @Override
    public long oldest(LimitState state) {
        return past.stamp(first);
    }

    @Override
    public long newestWeight(LimitState state) {
        return past.weight(past.size() - 1);
    }

    /** Returns whether nothing counts and nothing is pending. */
    boolean countsNothing() {
        return first == past.size() && pending.isEmpty();
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
     * No instant fits within a window before a reservation that leaves no room, so the search first goes to the latest such one.
     * Only then it searches for the next expiry that makes room. Each pending reservation is looked at once.
     */
    private long earliestAmongPending(long now, long from, long room) {
        long at = from;
        boolean fits = weightAt(now, at) <= room;
        boolean full = false; // whether a reservation at this very instant leaves no room
        int checked = pending.countUpTo(now, at); // the reservations before this one are over, or leave room
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
        long excess = counted + pending.weightOfFirst(reservations) - room;
        return excess <= 0 ? from : Math.max(from, expiresAfter(stampOf(excess), now, window));
    }

    // Changes.

    /** Returns the stamp of a grant: not before that of an earlier grant at once, so that the past grows at its end. */
    long stampFrom(long stamp) {
        return hasStamped ? LongMath.later(latestStamp, stamp) : stamp;
    }

    private void stamped(long stamp) {
        latestStamp = stampFrom(stamp);
        hasStamped = true;
    }

    @Override
    public boolean add(LimitState state, long now, long stamp, long permits) {
        edge = LongMath.later(edge, stamp);
        stamped(stamp);
        if (ticks.visible(stamp) - seen(now) <= 0) {
            insert(stamp, permits);
        } else { // the stamp of a coarser tick from before a change, among those of reservations
            addPending(now, stamp, permits);
        }
        count(stamp, permits);
        return true;
    }

    private void addPending(long now, long stamp, long permits) {
        makeRoomFor(permits);
        pending.add(stamp, permits, weightAt(now, stamp - now));
    }

    /** Adds permits to the weight at the pending reservations that see a stamp. */
    private void count(long stamp, long permits) {
        if (!pending.isEmpty()) {
            pending.addCounted(ticks.firstSeeing(stamp), stamp + window, permits);
        }
    }

    /** Adds a reservation that waits. Returns its stamp. */
    long reserve(long now, long wanted, long permits) {
        long stamp = wanted;
        if (ticks.visible(wanted) - seen(now) <= 0) {
            stamp = settle(wanted, permits);
        } else {
            addPending(now, stamp, permits);
        }
        count(stamp, permits);
        return stamp;
    }

    /** Refunds permits that were granted at a stamp. Has no effect if that was removed. */
    void refund(long stamp, long permits) {
        int i = past.find(start, stamp);
        int ahead = i < 0 ? pending.find(stamp) : -1;
        if (i >= 0 && past.weight(i) >= permits) {
            count(stamp, -permits);
            addWeight(i, -permits);
            removeEmpty();
        } else if (ahead >= 0 && pending.weight(ahead) >= permits) {
            count(stamp, -permits);
            pending.reduce(ahead, permits);
        }
    }

    /** Removes the oldest runs while the others that count now still have at least the given weight. */
    void keepNewest(long now, long weight) {
        long excess = counted + pending.weightOfFirst(pending.countUpTo(seen(now))) - weight;
        int oldest = excess <= 0 ? first : excess < counted ? past.holding(first, excess + 1) : past.size();
        if (kept == counted) {
            counted -= past.weight(first, oldest);
            kept = counted;
            start = oldest;
        }
        for (int i = first;
                start < oldest && i < oldest;
                i++) { // older runs are kept, which still count in a wider window
            addWeight(i, -past.weight(i));
        }
        first = oldest;
        removeBlocks();
    }

    /** Continues under a changed limit: what is still kept counts in the new window at once. */
    void change(long now, long window, Ticks ticks) {
        this.window = window;
        this.ticks = ticks;
        widest = Math.max(widest, window);
        first = past.after(start, now, -window);
        counted = past.weight(first, past.size());
        for (int i = past.size() - 1; i >= first && ticks.visible(past.stamp(i)) - seen(now) > 0; i--) {
            if (past.weight(i) > 0) {
                pending.add(past.stamp(i), past.weight(i), 0);
                addWeight(i, -past.weight(i));
            }
            past.removeLast();
        }
        removeEmpty();
        recount(now);
    }

    /** Recomputes what counts at the stamps of pending reservations. */
    private void recount(long now) {
        int expired = first;
        long weight = counted;
        for (int i = 0; i < pending.size(); i++) {
            long ahead = pending.stamp(i) - now;
            int next = past.after(expired, now, ahead - window);
            weight -= past.weight(expired, next);
            expired = next;
            int seen = pending.countUpTo(seen(pending.stamp(i)));
            int over = ahead > window ? pending.countUpTo(pending.stamp(i) - window) : 0;
            pending.setCounted(i, weight + pending.weightOfFirst(seen) - pending.weightOfFirst(over));
        }
    }

    @Override
    public void forEachRun(LimitState state, long now, Algorithm.RunVisitor visitor) {
        for (int i = first; i < past.size(); i++) {
            if (past.weight(i) > 0) {
                visitor.visit(past.stamp(i), past.weight(i), false);
            }
        }
        for (int i = 0; i < pending.size(); i++) {
            visitor.visit(pending.stamp(i), pending.weight(i), pending.stamp(i) - seen(now) > 0);
        }
    }
}
