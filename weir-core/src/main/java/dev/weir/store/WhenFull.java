package dev.weir.store;

/** What a full store does with a new key. State in use is never evicted to make room. */
public enum WhenFull {
    /**
     * New keys share a fixed number of overflow states, by hash: a key may be denied too early, and never gets more than its
     * limit. The default.
     */
    SHARE,
    /** New keys are denied until there is room. The retry-after is the shortest window of the request's limits. */
    DENY,
    /** New keys are allowed and not counted until there is room: their limits do not hold, and no permits remain. */
    ALLOW
}
