package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Limit;

/**
 * When an admission was booked, on the store's clock, as far as can be told from outside. What waits is booked at the
 * reading and the wait. What goes at once is booked at the end of the tick of the key's time: that is the clock's reading,
 * or what a reading in another thread had made of it by the end of the call. The decision's reset tells the newest stamp of
 * the log it names, which is this admission's or a later one.
 */
final class Stamps {
    /** A store may take a reading for old that is a second late; then the waits are not counted from it. */
    private static final long SLOW_NANOS = 500_000_000;

    private final boolean waits;
    private final boolean impossible;
    private final long from; // the booked instant, before it is rounded to a tick
    private final long by;

    private Stamps(boolean waits, boolean impossible, long from, long by) {
        this.waits = waits;
        this.impossible = impossible;
        this.from = from;
        this.by = by;
    }

    /** The stamps of an admission. {@code single}: the limit it names can be no other key's. */
    static Stamps of(Decision decision, long start, long end, boolean single) {
        boolean slow = end - start > SLOW_NANOS;
        long wait = decision.waitNanos();
        if (wait > 0) {
            return new Stamps(true, false, start + wait, (slow ? end : start) + wait);
        }
        long newest = start + decision.resetAfterNanos() - decision.limit().windowNanos();
        boolean told = single && !slow;
        return new Stamps(false, told && newest < start, start, told ? Math.max(start, Math.min(end, newest)) : end);
    }

    /** Whether what the decision tells cannot be: the newest booking is older than the question. */
    boolean areImpossible() {
        return impossible;
    }

    /** The earliest stamp that the admission may have in a limit's log. */
    long earliest(Limit limit) {
        return waits ? from : tickEnd(from, limit);
    }

    /** The latest stamp that the admission may have in a limit's log. */
    long latest(Limit limit) {
        return waits ? by : tickEnd(by, limit);
    }

    private static long tickEnd(long instant, Limit limit) {
        return instant + Math.floorMod(-instant, tick(limit));
    }

    /** The tick of a limit's log. */
    static long tick(Limit limit) {
        if (limit instanceof Limit.SlidingLog log) {
            return log.resolutionNanos();
        } else if (limit instanceof Limit.SlidingWindow window) {
            return window.bucketNanos();
        }
        throw new IllegalArgumentException("the soak checks logs only, not " + limit);
    }
}
