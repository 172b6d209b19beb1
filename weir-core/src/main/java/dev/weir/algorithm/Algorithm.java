package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * One limit's rule: the pure step from what is remembered of a key to what comes next. No clock, no I/O, no locks, no state
 * of its own: one object serves all keys of the limit. Whoever owns a {@link Memory} calls from one thread at a time, with
 * a {@code now} that never steps back.
 *
 * <p>Instants are nanoseconds on the store's clock, compared by subtraction. Answers are waits: nanoseconds after {@code
 * now}, so that a window of 292 years does not overflow. {@link #NEVER} is the wait that does not end.
 */
public interface Algorithm {
    /** The wait that does not end. */
    long NEVER = Long.MAX_VALUE;

    /** The most instants in the future at which one key may have bookings; beyond it waiting is refused. */
    int MAX_PENDING = 1024;

    /** The answer of {@link #take} when the permits do not fit. */
    long DENIED = -1;

    /** The limit that this rule keeps. */
    Limit limit();

    /** The least wait, {@code from} or longer, after which the permits fit; {@link #NEVER} if they cannot. */
    long earliest(Memory memory, long now, long from, long permits);

    /** Whether permits that fit after {@code wait}, maybe later than this limit alone would have it, may be booked there. */
    boolean canBook(Memory memory, long now, long wait, long permits);

    /** Books permits that fit after {@code wait} and can be booked there. */
    void book(Memory memory, long now, long wait, long permits);

    /** Books permits if they fit now: what could be had after that, or {@link #DENIED}. */
    default long take(Memory memory, long now, long permits) {
        if (earliest(memory, now, 0, permits) > 0) {
            return DENIED;
        }
        book(memory, now, 0, permits);
        return remaining(memory, now);
    }

    /** Books as {@link #book} does, and tells how to give back. */
    GiveBack reserve(Memory memory, long now, long wait, long permits);

    /** Learns that a request was denied, by this limit or another: nothing to remember, except where attempts count. */
    default boolean denied(Memory memory, long now, long permits) {
        return false;
    }

    /** Of a request denied although it was ready to wait: when to try again, if it could be admitted after {@code wait}. */
    default long retry(Memory memory, long now, long wait, long permits) {
        return canBook(memory, now, wait, permits) ? 0 : wait;
    }

    /** The permits that could be had now. */
    long remaining(Memory memory, long now);

    /** The wait until the memory equals that of a key never seen. */
    long resetAfter(Memory memory, long now);

    /** Whether the memory equals that of a key never seen; lets go of nothing. */
    default boolean idle(Memory memory, long now) {
        return resetAfter(memory, now) == 0;
    }

    /** Takes over what was remembered under another limit; false if that is another algorithm, which must start afresh. */
    boolean adopt(Memory memory, Algorithm before, long now);

    /** Whether a memory may serve this limit and that one by turns, and forget nothing that either must know. */
    default boolean canAlternate(Limit other) {
        return true;
    }

    /** Reports the runs that count now, then the pending ones, oldest first; some algorithms keep none. */
    default void forEachRun(Memory memory, long now, RunVisitor visitor) {}

    /** Receives the runs of a log. */
    interface RunVisitor {
        /** Receives the weight at a stamp, and whether it is pending. A stamp may come more than once. */
        void visit(long stamp, long weight, boolean pending);
    }

    /** Gives a booking back, whole or in part. What has left by itself stays as it is. */
    interface GiveBack {
        /** Gives back that many of the booked permits. */
        void permits(long permits);
    }
}
