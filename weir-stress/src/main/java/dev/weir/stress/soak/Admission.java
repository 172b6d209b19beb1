package dev.weir.stress.soak;

import dev.weir.Limit;

/**
 * Permits recorded in one log at an instant, the stamp, by a call that read the time source at {@code start} and had returned by
 * {@code end}. Written by the thread that acquired them while threads decide, and by the checker while none does.
 */
final class Admission implements KeyLog.Event {
    private static final long NEVER = Long.MAX_VALUE;

    final KeyLog log;
    final Limit limit;
    final int permits;
    final long start;
    final long end;
    final long stamp;

    /** The window for which the limiter keeps this at least: the longest under which anything was admitted meanwhile. */
    long kept;

    private int refunded;
    private long refundStart = NEVER;
    private long refundEnd = NEVER;
    private long resetStart = NEVER; // of the first reset that may have come after this
    private long resetEnd = NEVER; // of the first that surely did

    Admission(KeyLog log, Limit limit, int permits, long start, long end, long stamp) {
        this.log = log;
        this.limit = limit;
        this.permits = permits;
        this.start = start;
        this.end = end;
        this.stamp = stamp;
        this.kept = limit.windowNanos();
    }

    @Override
    public KeyLog log() {
        return log;
    }

    long window() {
        return limit.windowNanos();
    }

    /** Notes a refund, of which there is at most one. */
    void refund(int given, long from, long by) {
        refunded = given;
        refundStart = from;
        refundEnd = by;
    }

    /** Notes a reset of the key, unless this was decided after it. */
    void reset(long from, long by) {
        if (start <= by) {
            resetStart = Math.min(resetStart, from);
            if (end < from) {
                resetEnd = Math.min(resetEnd, by);
            }
        }
    }

    /** Returns the permits that a decision by this time must still count. */
    int surelyRecorded(long by) {
        return resetStart <= by ? 0 : refundStart <= by ? permits - refunded : permits;
    }

    /** Returns the permits that a decision from this time on may still count. */
    int maybeRecorded(long from) {
        return resetEnd < from ? 0 : refundEnd < from ? permits - refunded : permits;
    }

    /** Whether both calls ran at some time, so that either may have been decided first. */
    boolean overlaps(Admission other) {
        return start <= other.end && other.start <= end;
    }

    @Override
    public String toString() {
        return permits + " at " + stamp
                + (refunded == 0 ? "" : " (" + refunded + " refunded from " + refundStart + ")");
    }
}
