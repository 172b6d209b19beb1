package dev.weir.algorithm;

/**
 * The general form of a window log: any number of runs, pending reservations, refunds, and a window that was wider before. A
 * grant at once takes constant time while nothing is pending. Other steps take logarithmic time, look at each pending
 * reservation at most once, and if they change an old run, at each block of later ones.
 */
/*
 * The edge is the latest stamp of a grant at once, which may be the end of the present tick. Let seen(e) be the latest stamp that
 * counts at an instant e: visible(e), or the edge if that is later. The weight at e is that of all runs with
 * e - window < stamp <= seen(e). A run after seen(now) is pending.
 *
 *     0        the oldest run that a window as wide as the widest may count
 *     first    the oldest run that the present window may count
 *     ahead    the oldest pending run
 *
 * Permits fit at e if there is room in the weight at e and at every pending stamp after e and before e + window. The weight at an
 * instant only falls where a run expires, so the earliest fitting instant is the first requested one, or stamp + window of some
 * run. A run that is not pending may have lost its weight.
 */
final class RunLog implements LogForm, LimitState.Details {
    /** The amount in a state of this form, so that most decisions need not read the memory of the object itself. */
    static final long MARK = -1;

    private static final long LAST = 2 * Algorithm.MAX_WAIT; // a wait after which no run counts

    private final RunList runs;
    private int first;
    private int ahead;
    private PendingWeights counted; // at the stamps of the pending runs
    private long edge;
    private long forgotten; // no run up to this instant counts, in any window
    private long window;
    private long widest;
    private Ticks ticks;

    // As the last search found, permits that leave this room to others fit at no instant from one to before the other.
    private long fullFrom;
    private long fullUntil;
    private long fullRoom;

    RunLog(long window, Ticks ticks, long now) {
        this.window = window;
        this.widest = window;
        this.ticks = ticks;
        this.edge = now;
        this.forgotten = now - window;
        this.runs = new RunList();
        this.counted = new PendingWeights();
    }

    private RunLog(RunLog other) {
        runs = other.runs.copy();
        first = other.first;
        ahead = other.ahead;
        counted = new PendingWeights(other.counted);
        edge = other.edge;
        forgotten = other.forgotten;
        window = other.window;
        widest = other.widest;
        ticks = other.ticks;
        fullFrom = other.fullFrom;
        fullUntil = other.fullUntil;
        fullRoom = other.fullRoom;
    }

    @Override
    public RunLog copy() {
        return new RunLog(this);
    }

    // Queries.

    private long seen(long instant) {
        return LongMath.later(edge, ticks.visible(instant));
    }

    /** Returns the first run that does not count yet at an instant, which is not before now. */
    private int unseenAt(long instant) {
        return runs.after(ahead, seen(instant), 0);
    }

    private long weight(int from, int to) {
        return runs.weightBefore(to) - runs.weightBefore(from);
    }

    /** Returns the weight at an instant, which is given as a wait. */
    private long weightAt(long now, long wait) {
        return weight(runs.after(first, now, wait - window), unseenAt(now + wait));
    }

    /** Returns the weight of all runs that count or are pending. */
    long total() {
        return weight(first, runs.size());
    }

    private boolean isEmpty() {
        return weight(0, runs.size()) == 0;
    }

    /** Returns the newest run with weight before a given one; there must be one. */
    private int newestBefore(int end) {
        return runs.weight(end - 1) > 0 ? end - 1 : runs.holding(0, weight(0, end));
    }

    @Override
    public boolean hasPending() {
        return ahead < runs.size();
    }

    @Override
    public boolean canReserve(LimitState state, long now, long wait, long permits) {
        boolean hasRoom = runs.size() - unseenAt(now) < Algorithm.MAX_PENDING || runs.find(stampAfter(now, wait)) >= 0;
        return hasRoom && permits <= Long.MAX_VALUE - total();
    }

    @Override
    public long counted(LimitState state) {
        return weight(first, ahead);
    }

    @Override
    public long newest(LimitState state) {
        return runs.stamp(newestBefore(runs.size()));
    }

    @Override
    public long oldest(LimitState state) {
        return runs.stamp(runs.holding(first, 1));
    }

    @Override
    public long newestWeight(LimitState state) {
        return runs.weight(newestBefore(ahead));
    }

    @Override
    public boolean isIdle(LimitState state, long now) {
        return isEmpty() || now - newest(state) >= widest;
    }

    @Override
    public long peak(LimitState state, long now, long most) {
        long weight = weightAt(now, 0);
        if (weight >= most || !hasPending()) {
            return weight;
        }
        int within = runs.after(ahead, now, window - 1);
        return Math.max(weight, counted.highest(within - ahead, most));
    }

    /**
     * No instant fits within a window before a reservation that leaves no room, so a search goes to the latest such one first.
     * From there it goes to the next expiry that makes room. It visits each pending reservation once, and starts where the last
     * search for as many permits has ended, unless permits that count there were refunded.
     */
    @Override
    public long earliest(LimitState state, long now, long from, long most, long permits) {
        if (hasPending() && permits > Long.MAX_VALUE - total()) {
            return Algorithm.NEVER;
        }
        long room = most - permits;
        boolean known = room <= fullRoom && fullFrom - now <= from && fullUntil - now > from;
        long at = known ? fullUntil - now : from;
        int oldest = first;
        int unseen = ahead;
        int checked = runs.after(ahead, now, at); // the reservations before this one have been reached, or leave room
        while (true) {
            int within = runs.after(checked, now, Math.min(at, LAST) + window - 1);
            int full = ahead + counted.latestAbove(room, checked - ahead, within - ahead);
            checked = within;
            if (full >= ahead) {
                while (leavesNone(checked, room) && runs.stamp(checked) - runs.stamp(full) <= window) {
                    full = checked++; // nothing fits between two of them that are so close
                }
                at = runs.stamp(full) - now;
            }
            oldest = runs.after(oldest, now, at - window);
            unseen = runs.after(unseen, seen(now + at), 0);
            long excess = weight(oldest, unseen) - room;
            if (excess <= 0) {
                if (at > from) {
                    fullFrom = known ? fullFrom : now + from;
                    fullUntil = now + at;
                    fullRoom = room;
                }
                return at;
            }
            at = runs.stamp(runs.holding(oldest, excess)) - now + window;
        }
    }

    /** Returns whether a run is a reservation at whose stamp more than {@code room} counts. */
    private boolean leavesNone(int i, long room) {
        return i < runs.size() && counted.get(i - ahead) > room;
    }

    @Override
    public void forEachRun(LimitState state, long now, Algorithm.RunVisitor visitor) {
        for (int i = first; i < runs.size(); i++) {
            if (runs.weight(i) > 0) {
                visitor.visit(runs.stamp(i), runs.weight(i), runs.stamp(i) - seen(now) > 0);
            }
        }
    }

    // The passing of time.

    @Override
    public boolean prune(LimitState state, long now) {
        edge = LongMath.later(edge, now); // an older one has no effect, and must not become too old to be compared
        forgotten = LongMath.later(forgotten, now - widest); // not earlier: the widest window may have grown
        if (hasPending()) {
            settle(now);
        }
        first = runs.after(first, now, -window);
        removeFirst(widest == window ? first : runs.after(0, now, -widest));
        if (isEmpty()) {
            state.clear(now);
            return false;
        }
        return true;
    }

    private void removeFirst(int n) {
        if (n > 0) {
            runs.removeFirst(n);
            first = Math.max(0, first - n);
            ahead -= n;
        }
    }

    /** Counts the runs that are seen as no longer pending. If there are too many, the stamps of these are rounded to their ticks. */
    private void settle(long now) {
        int pending = ahead;
        int seen = unseenAt(now);
        if (seen > mostRuns()) {
            edge = LongMath.later(edge, ticks.stamp(runs.stamp(seen - 1)));
            seen = unseenAt(now);
        }
        counted.removeFirst(seen - pending);
        ahead = seen;
        if (ahead > mostRuns()) {
            round((int) Math.max(pending, mostRuns()));
        }
    }

    private long mostRuns() {
        return widest / ticks.length() + 2 * Algorithm.MAX_PENDING;
    }

    /** Rounds the stamps of the runs that count from one on; the pending ones behind them are later than their ticks. */
    private void round(int from) {
        int settled = ahead - from;
        long[] pairs = runs.removeFrom(from);
        for (int i = 0; i < pairs.length; i += 2) {
            runs.add(i < 2 * settled ? ticks.stamp(pairs[i]) : pairs[i], pairs[i + 1]);
        }
        first = Math.min(first, from);
        ahead = runs.size() - (pairs.length / 2 - settled);
        for (int i = 0; i < 2 * settled; i += 2) {
            count(pairs[i] + window, ticks.stamp(pairs[i]) + window, pairs[i + 1]);
        }
    }

    // Grants and refunds.

    /** Returns the stamp of a grant after a wait: not before the end of the past, nor at an instant that has expired. */
    private long stampAfter(long now, long wait) {
        if (!ticks.atStart()) {
            return wait == 0 ? LongMath.later(edge, ticks.stamp(now)) : now + wait;
        }
        long counting = LongMath.later(forgotten + 1, ticks.stamp(now + wait));
        return weight(0, ahead) == 0 ? counting : LongMath.later(runs.stamp(newestBefore(ahead)), counting);
    }

    @Override
    public boolean add(LimitState state, long now, long permits) {
        addAt(stampAfter(now, 0), permits);
        return true;
    }

    /** Adds permits at a stamp that is seen from now on. */
    void addAt(long stamp, long permits) {
        makeRoomFor(permits);
        edge = LongMath.later(edge, stamp);
        addToPast(stamp, permits);
        count(ticks.firstSeeing(stamp), stamp + window, permits);
    }

    private void addToPast(long stamp, long weight) {
        int size = runs.size();
        first = Math.min(first, runs.add(stamp, weight));
        ahead += runs.size() - size;
    }

    /** Reduces the oldest runs if the total weight would overflow: the newer runs deny all requests for longer. */
    private void makeRoomFor(long weight) {
        long excess = weight(0, runs.size()) - (Long.MAX_VALUE - weight);
        if (excess > 0) {
            int oldest = runs.holding(0, excess);
            runs.addWeight(oldest, weight(0, oldest) - excess);
            removeFirst(oldest);
        }
    }

    /** Adds to the weight at the pending reservations from one instant to before another. */
    private void count(long from, long until, long weight) {
        if (hasPending()) {
            int start = runs.after(ahead, from - 1, 0);
            int end = runs.after(start, until - 1, 0);
            counted.add(start - ahead, end - ahead, weight);
        }
    }

    /** Adds permits that are granted after a wait. Returns their stamp. */
    long reserve(long now, long wait, long permits) {
        long stamp = stampAfter(now, wait);
        boolean isSeen = stamp - seen(now) <= 0;
        if (wait == 0 || (isSeen && ahead > mostRuns())) {
            long atOnce = stampAfter(now, 0);
            addAt(atOnce, permits);
            return atOnce;
        }
        makeRoomFor(permits);
        if (isSeen) {
            addToPast(stamp, permits);
        } else {
            long before = weightAt(now, stamp - now);
            counted.makeRoom();
            int size = runs.size();
            int i = runs.add(stamp, permits);
            if (runs.size() > size) {
                counted.insert(i - ahead, before);
            }
        }
        count(ticks.firstSeeing(stamp), stamp + window, permits);
        return stamp;
    }

    /** Refunds permits that were granted at a stamp. Has no effect if that was removed. */
    void refund(long stamp, long permits) {
        int i = runs.find(stamp);
        if (i < 0 || runs.weight(i) < permits) {
            return;
        }
        runs.addWeight(i, -permits);
        long seen = ticks.firstSeeing(stamp);
        count(seen, stamp + window, -permits);
        fullUntil = stamp - edge > 0 ? LongMath.earlier(fullUntil, seen - window) : fullFrom; // or seen at all instants
        if (i >= ahead && runs.weight(i) == 0) {
            runs.remove(i);
            counted.remove(i - ahead);
        }
    }

    /** Removes the oldest runs while the others that count now still have at least the given weight. */
    void keepNewest(long weight) {
        long excess = weight(first, ahead) - weight;
        if (excess > 0) {
            removeFirst(runs.holding(first, excess + 1));
            recount();
        }
    }

    // Changed limits.

    /** Continues under a changed limit: the remaining runs count in the new window at once. */
    void change(long now, long window, Ticks ticks) {
        this.window = window;
        this.ticks = ticks;
        this.widest = Math.max(widest, window);
        first = runs.after(0, now, -window);
        int pending = ahead;
        ahead = Math.min(ahead, runs.after(seen(now)));
        for (int i = pending - 1; i >= ahead; i--) {
            if (runs.weight(i) == 0) {
                runs.remove(i);
            }
        }
        recount();
    }

    /** Computes the weight at the stamps of pending reservations. */
    private void recount() {
        fullUntil = fullFrom;
        long[] weights = new long[runs.size() - ahead];
        int oldest = first;
        int unseen = ahead;
        for (int i = 0; i < weights.length; i++) {
            long stamp = runs.stamp(ahead + i);
            oldest = runs.after(oldest, stamp, -window);
            unseen = runs.after(unseen, seen(stamp), 0);
            weights[i] = weight(oldest, unseen);
        }
        counted = new PendingWeights(weights);
    }
}
