package dev.weir.store;

import org.jspecify.annotations.Nullable;

/**
 * A store did not decide: it did not answer in time, could not be reached, or refused. The request is not sent again, so it may
 * have been granted; a store that learns of that later refunds it. Limiters do not throw this from a decision but follow their
 * {@link dev.weir.FailurePolicy}. It has no stack trace, since a failed store throws it for every request.
 */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Whether the request was not sent because too many were in flight. */
    private final boolean overload;

    /**
     * Creates an exception.
     *
     * @param message what failed, for the operator of the store
     */
    public StoreException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception.
     *
     * @param message what failed, for the operator of the store
     * @param cause why it failed, or null
     */
    public StoreException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private StoreException(String message, @Nullable Throwable cause, boolean overload) {
        super(message, cause, false, false);
        this.overload = overload;
    }

    /**
     * Creates an exception of a request that was not sent because too many calls of this process are in flight.
     *
     * @param inFlight the number of calls in flight
     * @return the exception
     */
    public static StoreException overload(int inFlight) {
        return new StoreException("too many calls in flight: " + inFlight, null, true);
    }

    /**
     * {@return whether the request was not sent because too many calls of this process are in flight} The store itself may work
     * well.
     */
    public boolean isOverload() {
        return overload;
    }
}
