package dev.weir.algorithm;

/**
 * The runs of a log with more than one: what has been booked, oldest first, of which the oldest may count no more and the
 * newest may be pending. It keeps the sum of what counts.
 *
 * <p>{@code edge} is the latest stamp that an immediate booking got, maybe after now (the end of its tick): up to it every
 * run counts, and what is newer is pending.
 */
final class Ledger extends Runs {
    long edge;
    private long total; // weight of all runs but the expired ones, pending ones included
    private long widest; // the widest window that these runs may have to serve
    private int expired; // the oldest runs that the present window counts no more, kept for a wider one
    private boolean steady; // see isSteadyAt
    private long steadyUntil;

    Ledger(long window, long edge) {
        this.widest = window;
        this.edge = edge;
    }

    private Ledger(Ledger other) {
        super(other);
        edge = other.edge;
        total = other.total;
        widest = other.widest;
        expired = other.expired;
        steady = other.steady;
        steadyUntil = other.steadyUntil;
    }

    @Override
    Ledger copy() {
        return new Ledger(this);
    }

    /**
     * Whether at this instant all counts, nothing is pending, nothing has left, and a booking would join the newest run,
     * whose stamp is the edge.
     */
    boolean isSteadyAt(long now) {
        return steady && now - steadyUntil < 0;
    }

    /** Remembers that this will be so for as long as nothing happens but bookings at once. */
    void steadyUntil(long instant) {
        steady = true;
        steadyUntil = instant;
    }

    /** Books permits that join the newest run. */
    void join(long permits) {
        addToNewest(permits);
        total += permits;
    }

    long total() {
        return total;
    }

    /** The oldest run that counts; there may be none. */
    int first() {
        return expired;
    }

    /** Whether there was a wider window before, which may come again. */
    boolean mayServeMoreThan(long window) {
        return widest > window;
    }

    /** The most runs that ticks of this length can make of the past. */
    long mostTicks(long tick) {
        return widest / tick;
    }

    /** Whether the present window counts nothing. */
    boolean countsNothing() {
        return size() == expired;
    }

    /** Books permits that go at once. */
    void bookNow(long stamp, long permits) {
        edge = Log.latest(edge, stamp);
        steady = false;
        add(stamp, permits);
        total += permits;
    }

    /** Books permits that wait. */
    void bookAhead(long stamp, long permits) {
        steady = false;
        add(stamp, permits);
        total += permits;
    }

    /** Gives back what was booked at a stamp; nothing if it has left. */
    void giveBack(long stamp, long permits) {
        int i = find(stamp);
        if (i < 0 || weight(i) < permits) {
            return;
        }
        steady = false;
        int before = size();
        take(i, permits);
        if (i >= expired) {
            total -= permits;
        } else {
            expired -= before - size();
        }
    }

    /** Lets go of what has left the window, and of what has left the widest. */
    void prune(long now, long window) {
        while (expired < size() && now - stamp(expired) >= window) {
            total -= weight(expired++);
        }
        while (expired > 0 && now - stamp(0) >= widest) {
            drop(0);
            expired--;
        }
    }

    /** Whether even the widest window counts nothing any more. */
    boolean isOverAt(long now) {
        return isEmpty() || now - newest() >= widest;
    }

    /** Counts anew: what is still kept counts by this window at once. */
    void rewindow(long now, long window) {
        steady = false;
        widest = Math.max(widest, window);
        expired = 0;
        total = 0;
        for (int i = size() - 1; i >= 0; i--) {
            long tooMuch = weight(i) - (Long.MAX_VALUE - total);
            if (tooMuch > 0) { // what is newer denies everything as it is, and for longer
                total += weight(i) - tooMuch;
                take(i, tooMuch);
            } else {
                total += weight(i);
            }
        }
        prune(now, window);
    }

    /** Merges what is in the past into ticks. */
    void mergeSettled(Log log, long now) {
        Ledger merged = new Ledger(widest, edge);
        for (; !isEmpty(); drop(0)) {
            boolean settled = stamp(0) - now <= 0;
            long stamp = settled ? log.stamp(stamp(0)) : stamp(0);
            edge = settled ? Log.latest(edge, stamp) : edge;
            merged.add(stamp, weight(0));
        }
        for (int i = 0; i < merged.size(); i++) {
            add(merged.stamp(i), merged.weight(i));
        }
        rewindow(now, log.window);
    }

    /** Drops the oldest runs while the rest, without what is pending after {@code settled} runs, still weigh so much. */
    void keepNewest(long permits, int settled) {
        long weight = total;
        for (int i = settled; i < size(); i++) {
            weight -= weight(i);
        }
        while (weight - weight(expired) >= permits) {
            weight -= weight(expired);
            total -= weight(expired);
            drop(expired);
        }
    }
}
