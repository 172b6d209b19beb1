package dev.weir.store;

import org.jspecify.annotations.Nullable;

/**
 * A store did not decide: it did not answer in time, could not be reached, or refused. What was asked is not asked again, so
 * it may have been booked all the same; a store that learns of that later gives it back. Limiters do not let this out of a
 * decision, but follow their {@link FailurePolicy}. It has no stack trace, since a dead store throws it for every request.
 */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What failed, in words for whoever runs the store. */
    public StoreException(String message) {
        this(message, null);
    }

    /** What failed, and why. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }
}
