package dev.weir.store;

import dev.weir.Clock;

/**
 * The store's time: a clock, kept from stepping back. A reading slightly behind what a key has seen is the key's to clamp;
 * a clock that has stepped back by more is shifted forward for good, so that nobody waits for it to catch up.
 */
final class StoreClock {
    static final long MOST_CLAMPED_NANOS = 1_000_000_000; // 1 s

    private final Clock clock;
    private volatile int steps; // written before shift, read after it
    private volatile long shift;
    private volatile long latest; // the latest time that a passer-by has told; may lag

    StoreClock(Clock clock) {
        this.clock = clock;
        this.latest = clock.nanos();
    }

    long now() {
        return clock.nanos() + shift;
    }

    /** How often the clock has been seen to step back. */
    int steps() {
        return steps;
    }

    /**
     * Told a time now and then, by whoever makes a key's state or sweeps: so that a clock that stepped back is noticed even
     * by keys that were not there before.
     */
    boolean stepped(long reading) {
        long behind = latest - reading;
        if (behind > MOST_CLAMPED_NANOS) {
            behind(latest, MOST_CLAMPED_NANOS);
            return true;
        }
        if (behind < 0) {
            latest = reading;
        }
        return false;
    }

    /**
     * Told of a key that has seen a later time. The clock is read again, so that a thread that dawdled between reading it
     * and deciding is not taken for a step.
     */
    void behind(long seen, long mostClamped) {
        long reading = clock.nanos();
        synchronized (this) {
            long behind = seen - (reading + shift);
            if (behind > mostClamped) {
                steps++;
                shift += behind;
            }
        }
    }
}
