package dev.weir;

import dev.weir.store.FailurePolicy;
import dev.weir.store.StoreException;

/**
 * Hears what was decided: the hook for metrics and logs. Called on the deciding thread, after the decision and without any
 * lock held; so it must be quick and thread-safe, and what it throws reaches the caller of the limiter, whose booking is
 * then given back if it may have been one to wait for, and stands if it was decided at once.
 */
public interface Listener {

    /** A request was decided, at once or with a wait. Peeks are not told. */
    default void decided(String limiter, String key, long permits, Decision decision) {}

    /** A booking was given back, whole or in part. */
    default void gaveBack(String limiter, String key, long permits) {}

    /** The store had no room for a new key, and decided by its {@link dev.weir.store.WhenFull}. */
    default void storeFull(String limiter, String key) {}

    /** The store failed to decide on a request, which is then decided by the limiter's {@link FailurePolicy}. */
    default void storeFailed(String limiter, String key, StoreException why) {}

    /** A store that this listens to has gone: until {@link #storeUp}, requests fail at once. Not called by limiters. */
    default void storeDown(StoreException why) {}

    /** A store that this listens to answers again. Not called by limiters. */
    default void storeUp() {}
}
