package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Limit;

/**
 * The instants at which an admission is recorded. A decision names its time on the store's clock: permits that are granted at
 * once are recorded at the end of its tick, those that wait at that time plus the wait. The time must lie within the call; then
 * it does not matter how the store has found it, since the limits must hold for the instants that it names.
 */
final class Stamps {
    private Stamps() {}

    /** Whether the time of a decision cannot be right, which was made by a call from {@code start} to {@code end}. */
    static boolean areImpossible(Decision decision, long start, long end) {
        long time = decision.timeNanos();
        long newest = time + decision.resetAfterNanos() - decision.limit().windowNanos();
        boolean granted = decision.allowed() && decision.waitNanos() == 0;
        return time < start || time > end || (granted && newest < time);
    }

    /** Returns the stamp of an admission in a limit's log. */
    static long stamp(Decision decision, Limit limit) {
        long time = decision.timeNanos();
        long wait = decision.waitNanos();
        return wait > 0 ? time + wait : time + Math.floorMod(-time, tick(limit));
    }

    /** Returns the tick of a limit's log in nanoseconds. */
    static long tick(Limit limit) {
        return limit.accounting().tickNanos();
    }
}
