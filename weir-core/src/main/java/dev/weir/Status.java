package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * The status of one limit of one request, as part of a {@link Decision}. Immutable and thread-safe.
 *
 * @param request the position of the request among those decided together, from 0
 * @param limit the limit
 * @param remaining the permits that this limit could grant now, after the decision; zero while the key is blocked
 * @param retryAfterNanos {@link #retryAfter} in nanoseconds; {@link Long#MAX_VALUE} if never
 * @param resetAfterNanos {@link #resetAfter} in nanoseconds
 */
public record Status(int request, Limit limit, long remaining, long retryAfterNanos, long resetAfterNanos) {

    /**
     * Refuses negative values with {@link IllegalArgumentException}.
     *
     * @param request the position of the request
     * @param limit the limit
     * @param remaining the permits that remain
     * @param retryAfterNanos the time until this limit allows the request
     * @param resetAfterNanos the time until the limit is as if unused
     */
    public Status {
        if ((request | remaining | retryAfterNanos | resetAfterNanos) < 0) {
            throw new IllegalArgumentException(
                    "request, remaining, retry-after and reset-after must not be negative, were " + request + ", "
                            + remaining + ", " + retryAfterNanos + ", " + resetAfterNanos);
        }
        Objects.requireNonNull(limit, "limit must not be null");
    }

    /**
     * {@return the time after which this limit alone allows the request: zero if it does now, or if the decision is allowed; about
     * 292 years if never} While the key is blocked, not before the block ends.
     */
    public Duration retryAfter() {
        return Duration.ofNanos(retryAfterNanos);
    }

    /** {@return the time until this limit is as if the key had never been used, if nothing else happens} */
    public Duration resetAfter() {
        return Duration.ofNanos(resetAfterNanos);
    }
}
