package dev.weir.store;

/** What a store that holds as many keys as it may does with a new one. What is live is never evicted to make room. */
public enum WhenFull {
    /**
     * New keys share a fixed number of common limiters, by hash: a key may be denied too early, never admitted too much,
     * and service goes on. The default.
     */
    SHARE,
    /** New keys are denied until there is room. */
    REFUSE,
    /** New keys are admitted uncounted until there is room: the limit does not hold for them. */
    ADMIT
}
