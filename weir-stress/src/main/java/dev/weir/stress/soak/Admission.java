package dev.weir.stress.soak;

import dev.weir.Limit;

/**
 * Permits recorded in one log at an instant, the stamp, by a call that began at {@code start}, when it read the time source, and
 * had returned by {@code end}. Written by the thread that acquired them, while threads decide, and by the checker while none
 * does.
 */
final class Admission {
    static final long NEVER = Long.MAX_VALUE;

    final KeyLog log;
    final Limit limit;
    final int permits;
    final long start;
    final long end;
    final long stamp;

    /** The window for which the limiter keeps this at least: the longest that anything was admitted under meanwhile. */
    long kept;

    /** Given back by a call that ran from {@code backFrom} to {@code backBy}. */
    int givenBack;

    long backFrom = NEVER;
    long backBy = NEVER;

    /** When a reset may have come first, and when one had surely come. */
    long forgottenFrom = NEVER;

    long forgottenBy = NEVER;

    Admission(KeyLog log, Limit limit, int permits, long start, long end, long stamp) {
        this.log = log;
        this.limit = limit;
        this.permits = permits;
        this.start = start;
        this.end = end;
        this.stamp = stamp;
        this.kept = limit.windowNanos();
    }

    /** The limit's window. */
    long window() {
        return limit.windowNanos();
    }

    /** Takes note of a give-back, of which there is one at most. */
    void giveBack(int given, long from, long by) {
        givenBack = given;
        backFrom = from;
        backBy = by;
    }

    /** Takes note of a reset of the key, unless this was decided after it. */
    void reset(long from, long by) {
        if (start <= by) {
            forgottenFrom = Math.min(forgottenFrom, from);
            if (end < from) {
                forgottenBy = Math.min(forgottenBy, by);
            }
        }
    }

    /** The permits that whoever decides by this time must still count. */
    int surelyBooked(long by) {
        return forgottenFrom <= by ? 0 : backFrom <= by ? permits - givenBack : permits;
    }

    /** The permits that whoever decides from this time on may still count. */
    int maybeBooked(long from) {
        return forgottenBy < from ? 0 : backBy < from ? permits - givenBack : permits;
    }

    /** Whether both calls ran at some time, so that either may have been decided first. */
    boolean overlaps(Admission other) {
        return start <= other.end && other.start <= end;
    }

    @Override
    public String toString() {
        return permits + " at " + stamp
                + (givenBack == 0 ? "" : " (" + givenBack + " given back from " + backFrom + ")");
    }
}
