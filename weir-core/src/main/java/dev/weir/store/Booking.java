package dev.weir.store;

import dev.weir.Decision;

/** A decision, and if it was favourable the place that was booked. Thread-safe. */
public interface Booking {

    /** What was decided. */
    Decision decision();

    /**
     * Gives back that many permits of each claim, in one step a key. Does nothing where they have left the window, or the
     * key was reset since. The caller sees to it that no permit is given back twice.
     */
    void giveBack(long permits);

    /** Gives back what is left of each claim after so many of its permits were given back before. */
    void giveBackRest(long before);
}
