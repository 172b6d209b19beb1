package dev.weir.store;

/**
 * Receives the events of a store outside this process. Never called on an I/O thread, so a listener may call a limiter.
 * Implementations must be thread-safe. What they throw is logged, at most once a minute.
 */
public interface StoreListener {

    /**
     * The store does not answer: until {@link #storeUp}, requests fail at once. If the store has several nodes, those for the keys of a
     * node that does not answer fail.
     *
     * @param failure what failed
     */
    default void storeDown(StoreException failure) {}

    /** The store answers again, on all nodes if it has several. */
    default void storeUp() {}

    /**
     * A refund or cancellation did not reach the store. Its permits count until they expire.
     *
     * @param limiter the name of the limiter
     * @param key the key
     * @param failure what failed
     */
    default void refundLost(String limiter, String key, StoreException failure) {}
}
