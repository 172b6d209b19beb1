package dev.weir;

import java.time.Duration;
import java.util.Objects;

/** The status of one limit of one request, as part of a {@link Decision}. Immutable and thread-safe. */
public final class Status {
    private final int request;
    private final Limit limit;
    private final long remaining;
    private final long retryAfterNanos;
    private final long resetAfterNanos;

    private Status(int request, Limit limit, long remaining, long retryAfterNanos, long resetAfterNanos) {
        if ((request | remaining | retryAfterNanos | resetAfterNanos) < 0) {
            throw new IllegalArgumentException(
                    "request, remaining, retry-after and reset-after must not be negative, were " + request + ", "
                            + remaining + ", " + retryAfterNanos + ", " + resetAfterNanos);
        }
        this.request = request;
        this.limit = Objects.requireNonNull(limit, "limit must not be null");
        this.remaining = remaining;
        this.retryAfterNanos = retryAfterNanos;
        this.resetAfterNanos = resetAfterNanos;
    }

    /**
     * Creates a status, for tests and for implementations of {@link dev.weir.store.Store}.
     *
     * @param request the position of the request among those decided together, from 0
     * @param limit the limit
     * @param remaining the permits that remain
     * @param retryAfterNanos the time until this limit allows the request, in nanoseconds; {@link Long#MAX_VALUE} if never
     * @param resetAfterNanos the time until the limit is as if unused, in nanoseconds
     * @return the status
     */
    public static Status of(int request, Limit limit, long remaining, long retryAfterNanos, long resetAfterNanos) {
        return new Status(request, limit, remaining, retryAfterNanos, resetAfterNanos);
    }

    /** {@return the position of the request among those decided together, from 0} */
    public int request() {
        return request;
    }

    /** {@return the limit} */
    public Limit limit() {
        return limit;
    }

    /** {@return the permits that this limit could grant now, after the decision; zero while the key is blocked} */
    public long remaining() {
        return remaining;
    }

    /**
     * Returns the time after which this limit alone allows the request; zero if it does now, or if the decision is allowed. While the
     * key is blocked, not before the block ends.
     *
     * @return about 292 years if never
     */
    public Duration retryAfter() {
        return Duration.ofNanos(retryAfterNanos);
    }

    /** {@return {@link #retryAfter} in nanoseconds; {@link Long#MAX_VALUE} if never} */
    public long retryAfterNanos() {
        return retryAfterNanos;
    }

    /** {@return the time until this limit is as if the key had never been used, if nothing else happens} */
    public Duration resetAfter() {
        return Duration.ofNanos(resetAfterNanos);
    }

    /** {@return {@link #resetAfter} in nanoseconds} */
    public long resetAfterNanos() {
        return resetAfterNanos;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Status that
                && request == that.request
                && remaining == that.remaining
                && retryAfterNanos == that.retryAfterNanos
                && resetAfterNanos == that.resetAfterNanos
                && limit.equals(that.limit);
    }

    @Override
    public int hashCode() {
        return Objects.hash(request, limit, remaining, retryAfterNanos, resetAfterNanos);
    }

    @Override
    public String toString() {
        return "request " + request + ": " + limit + ", remaining " + remaining + ", retry after " + retryAfter()
                + ", reset after " + resetAfter();
    }
}
