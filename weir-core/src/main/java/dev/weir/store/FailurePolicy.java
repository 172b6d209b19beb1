package dev.weir.store;

import dev.weir.Clock;

/**
 * What decides while a limiter's store fails: another store, in memory, whose decisions say that they are {@linkplain
 * dev.weir.Decision#degraded degraded}. What it admits is not told to the failed store later.
 *
 * <p>With a limit of N and P processes, a window that touches a failure admits at most: without bound by {@link #open};
 * N by {@link #closed}; N + P × max(1, share × N) by {@link #local}.
 */
@FunctionalInterface
public interface FailurePolicy {

    /** The store that decides meanwhile, for one limiter, on its clock. */
    Store standIn(Clock clock);

    /** Admits everything, uncounted. */
    static FailurePolicy open() {
        return clock -> new PolicyStore(true);
    }

    /** Denies everything. */
    static FailurePolicy closed() {
        return clock -> new PolicyStore(false);
    }

    /**
     * Counts in this process's memory, against a share of each limit (rounded down, at least one permit). With P
     * processes a share of 1/P keeps the whole limit while the store is away; a share of 1, the default of limiters, never stops
     * what one process alone may do. The memory starts empty, and is kept from one failure to the next.
     *
     * @throws IllegalArgumentException unless the share is above 0 and at most 1
     */
    static FailurePolicy local(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
        }
        return clock -> new ShareStore(MemoryStore.builder().clock(clock).build(), share);
    }
}
