package dev.weir.algorithm;

import dev.weir.Limit;
import java.util.function.LongConsumer;

/**
 * The rule of one limit, as pure steps on a {@link LimitState}: no clock, no I/O, no locks and no state of its own, so that one
 * object serves all keys of the limit. The caller guards the state and passes a {@code now} that never decreases.
 *
 * <p>Instants are nanoseconds on the store's clock, compared by subtraction. Results are waits: nanoseconds after {@code now},
 * so that no sum of instants overflows. {@link #NEVER} is an endless wait.
 */
public interface Algorithm {
    /** An endless wait. */
    long NEVER = Long.MAX_VALUE;

    /**
     * The longest wait of a reservation: 73 years, as long as a window may be. So all instants in a state are less than 292 years
     * apart, and nothing is left of it twice this time after the latest request.
     */
    long MAX_WAIT = 1L << 61;

    /** The largest number of future instants at which one key may have reservations; beyond it, waiting is denied. */
    int MAX_PENDING = 1024;

    /** The result of {@link #tryGrant} if the permits do not fit. */
    long DENIED = -1;

    Limit limit();

    /** Returns the least wait of {@code from} or longer after which the permits fit; {@link #NEVER} if they never do. */
    long earliest(LimitState state, long now, long from, long permits);

    /**
     * Returns whether permits that fit after a wait of at most {@link #MAX_WAIT} may be granted there. The wait may be longer than
     * this limit requires, if another limit delays the start further.
     */
    boolean canGrant(LimitState state, long now, long wait, long permits);

    /** Grants permits that fit now. */
    void grant(LimitState state, long now, long permits);

    /**
     * Grants permits after a wait at which they fit and can be granted. Returns what refunds some or all of them, called under the same
     * guard as the state: permits that have expired or were forgotten stay as they are.
     */
    LongConsumer reserve(LimitState state, long now, long wait, long permits);

    /** Grants permits if they fit now. Returns the remaining permits, or {@link #DENIED}. */
    default long tryGrant(LimitState state, long now, long permits) {
        if (earliest(state, now, 0, permits) > 0) {
            return DENIED;
        }
        grant(state, now, permits);
        return remaining(state, now);
    }

    /** Records a denied request, if denied attempts count. Returns whether it was recorded. */
    default boolean recordDenied(LimitState state, long now, long permits) {
        return false;
    }

    /** Returns when to retry a request that was denied although it would have waited; 0 if not because of this limit. */
    default long retryAfter(LimitState state, long now, long wait, long permits) {
        return canGrant(state, now, wait, permits) ? 0 : wait;
    }

    /** Returns the permits that could be granted now. */
    long remaining(LimitState state, long now);

    /** Returns the wait until the state equals that of a key without grants. */
    long resetAfter(LimitState state, long now);

    /** Returns whether the state equals that of a key without grants. Changes nothing. */
    default boolean isIdle(LimitState state, long now) {
        return resetAfter(state, now) == 0;
    }

    /** Continues with the state of another limit. Returns false if that is of another algorithm and must be cleared. */
    boolean adopt(LimitState state, Algorithm before, long now);

    /** Returns the time for which the remaining permits stay as they are if nothing else happens; 0 if that is unknown. */
    long steadyFor(LimitState state, long now);

    /**
     * Returns the time for which permits that are granted at once only increase the newest entry; 0 if that is unknown, or if the
     * entry has no more than the given number of permits yet.
     */
    default long joinsFor(LimitState state, long now, long permits) {
        return 0;
    }

    /** Reports the counted runs of a log, then the pending ones, oldest first. Some algorithms keep none. */
    default void forEachRun(LimitState state, long now, RunVisitor visitor) {}

    /** Receives the runs of a log. */
    @FunctionalInterface
    interface RunVisitor {
        /** Receives the weight at a stamp, and whether it is pending. A stamp may occur more than once. */
        void visit(long stamp, long weight, boolean pending);
    }
}
