package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * One limit's memory of one key, and the step that changes it. Pure: no clock, no I/O, no locks; whoever owns it calls it
 * from one thread at a time, with a {@code now} that never steps back.
 *
 * <p>Instants are nanoseconds on the store's clock, compared by subtraction. Answers are waits: nanoseconds after {@code
 * now}, so that a window of 292 years does not overflow. {@link #NEVER} is the wait that does not end.
 */
public interface Algorithm {
    /** The wait that does not end. */
    long NEVER = Long.MAX_VALUE;

    /** The most instants in the future at which one key may have bookings; beyond it waiting is refused. */
    int MAX_PENDING = 1024;

    /** Fresh memory for a limit, of a key never seen before {@code now}. */
    static Algorithm of(Limit limit, long now) {
        if (limit instanceof Limit.SlidingLog log) {
            return new SlidingLog(log, now);
        } else if (limit instanceof Limit.SlidingWindow window) {
            return new SlidingWindow(window, now);
        } else if (limit instanceof Limit.FixedWindow window) {
            return new FixedWindow(window);
        } else if (limit instanceof Limit.TokenBucket bucket) {
            return new TokenBucket(bucket, now);
        } else if (limit instanceof Limit.LeakyBucket bucket) {
            return new LeakyBucket(bucket, now);
        }
        return new Gcra((Limit.Gcra) limit, now);
    }

    /** The limit that this memory keeps. */
    Limit limit();

    /** The least wait, {@code from} or longer, after which the permits fit; {@link #NEVER} if they cannot. */
    long earliest(long now, long from, long permits);

    /** Whether permits that fit after {@code wait}, maybe later than this limit alone would have it, may be booked there. */
    boolean canBook(long now, long wait, long permits);

    /** Books permits that fit after {@code wait} and can be booked there. */
    void book(long now, long wait, long permits);

    /** Books as {@link #book} does, and tells how to give back. */
    GiveBack reserve(long now, long wait, long permits);

    /** Learns that a request was denied, by this limit or another: nothing to remember, except where attempts count. */
    default boolean denied(long now, long permits) {
        return false;
    }

    /** Of a request denied although it was ready to wait: when to try again, if it could be admitted after {@code wait}. */
    default long retry(long now, long wait, long permits) {
        return canBook(now, wait, permits) ? 0 : wait;
    }

    /** The permits that could be had now. */
    long remaining(long now);

    /** The wait until this memory equals that of a key never seen. */
    long resetAfter(long now);

    /** Whether this memory equals that of a key never seen. */
    default boolean idle(long now) {
        return resetAfter(now) == 0;
    }

    /** Goes on under a changed limit; false if that is another algorithm, which must start afresh. */
    boolean adopt(Limit limit, long now);

    /** Whether this memory may serve its limit and that one by turns, and forget nothing that either must know. */
    default boolean canAlternate(Limit other) {
        return true;
    }

    /** Learns that the clock had stepped back: what is booked counts until all of it is in the past. */
    default void clockStepped() {}

    /** Gives a booking back, whole or in part; used once. What has left by itself stays as it is. */
    interface GiveBack {
        /** Gives back that many of the booked permits. */
        void permits(long permits);
    }
}
