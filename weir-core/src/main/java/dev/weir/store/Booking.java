package dev.weir.store;

import dev.weir.Decision;

/** A decision, and if it was favourable the place that was booked. Thread-safe. */
public interface Booking {

    /** What was decided. */
    Decision decision();

    /** Gives back all permits of each claim; as {@link #giveBack} does. */
    void cancel();

    /**
     * Gives back that many permits of each claim, in one step a key. Does nothing where they have left the window, or the
     * key was reset since. The caller sees to it that a booking is given back once at most.
     */
    void giveBack(long permits);
}
