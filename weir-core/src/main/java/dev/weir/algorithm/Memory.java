package dev.weir.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one key under one limit. Nearly every key needs one pair of numbers only: of a log the newest tick
 * and its weight, of a fixed window its start and its count, of a schedule the arrival time and its fraction. What needs
 * more hangs on it. Only the limit's {@link Algorithm} knows what the numbers mean.
 *
 * <p>Not thread-safe: whoever owns it calls the algorithm from one thread at a time.
 */
public abstract class Memory {
    long instant;
    long amount;

    @Nullable
    Object more;

    /** Remembers nothing, of a key never seen before {@code now}. */
    protected Memory(long now) {
        instant = now;
    }

    /** Remembers the same as another one, and goes its own way. */
    protected Memory(Memory other) {
        instant = other.instant;
        amount = other.amount;
        if (other.more instanceof int[] ticks) {
            more = ticks.clone();
        } else {
            more = other.more instanceof Runs runs ? runs.copy() : other.more;
        }
    }

    /** Forgets everything; what was reserved is not given back any more. */
    public final void clear(long now) {
        instant = now;
        amount = 0;
        more = null;
    }
}
