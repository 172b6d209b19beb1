package dev.weir.algorithm;

/** A form in which a {@link LimitState} contains a window log. The rules of the log are in {@link WindowLog}. */
interface LogForm {
    /** Removes expired runs. Returns false if nothing is left and the state has been cleared. */
    boolean prune(LimitState state, long now);

    /** Returns the weight of the runs that are not pending. */
    long counted(LimitState state);

    /** Returns the stamp of the newest run, pending ones included. Requires a run. */
    long newest(LimitState state);

    /** Returns the stamp of the oldest run that counts. Requires a run that is not pending. */
    long oldest(LimitState state);

    /** Returns the weight of the newest run that is not pending. */
    long newestWeight(LimitState state);

    /** Adds permits that are granted at once. Nothing has expired. Returns false, and adds nothing, if this form cannot contain them. */
    boolean add(LimitState state, long now, long permits);

    /** Returns whether there are pending reservations. */
    default boolean hasPending() {
        return false;
    }

    /** Returns whether there is room for a reservation after a wait: the weight of all permits must remain a number. */
    boolean canReserve(LimitState state, long now, long wait, long permits);

    /** Returns the least wait of {@code from} or longer after which the permits fit, with at most {@code most} in a window. */
    long earliest(LimitState state, long now, long from, long most, long permits);

    /** Returns the largest weight in any window that a grant now would be in; any weight of {@code most} or more if it is that. */
    long peak(LimitState state, long now, long most);

    /** Returns whether nothing counts, now or in a wider window. Changes nothing. */
    boolean isIdle(LimitState state, long now);

    /** Reports the runs, oldest first. */
    void forEachRun(LimitState state, long now, Algorithm.RunVisitor visitor);
}
