package dev.weir;

import dev.weir.store.StoreException;

/**
 * Receives the events of a limiter: the hook for metrics, logs and traces. Called without a lock held, on the thread that
 * decided or refunded or, for asynchronous requests that wait for a store, on the limiter's executor, which by default has no I/O
 * threads. Implementations must be thread-safe and fast. What they throw is logged, at most once a minute, and changes no decision.
 */
public interface LimiterListener {

    /**
     * A request was decided. Not called for {@code peek}, nor for a request that had room and was denied only because another one
     * was that was decided together with it.
     *
     * @param limiter the name of the limiter
     * @param key the key
     * @param permits the number of permits requested
     * @param decision the decision; of requests that were decided together, what it says of this one: its own limits. It is blocked
     *     if the key of any of them is. Allowed permits are granted at its {@link Decision#timeNanos} plus its wait
     */
    default void decided(String limiter, String key, long permits, Decision decision) {}

    /**
     * Permits were refunded, or a reservation was cancelled; also if none are released, because they have expired or are forfeited.
     *
     * @param limiter the name of the limiter
     * @param key the key
     * @param permits the number of permits refunded
     * @param timeNanos the time on the store's clock at which they had been granted
     */
    default void refunded(String limiter, String key, long permits, long timeNanos) {}

    /**
     * A request was denied because the store had no room for a new key. Called for each of the requests that were decided together
     * if there was no room for one of their keys.
     *
     * @param limiter the name of the limiter
     * @param key the key
     */
    default void storeFull(String limiter, String key) {}

    /**
     * The store failed to decide a request or to answer a {@code peek}; the limiter's {@link FailurePolicy} decides.
     *
     * @param limiter the name of the limiter
     * @param key the key
     * @param failure what failed
     */
    default void storeFailed(String limiter, String key, StoreException failure) {}
}
