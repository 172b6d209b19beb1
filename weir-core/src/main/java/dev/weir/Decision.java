package dev.weir;

import java.time.Duration;

/**
 * The answer to one request. A denial is a value, not an exception, and took nothing from any limit.
 *
 * <p>Example: 5 permits in 10 s, all five used at 0 s; at 4 s one more is asked for. {@code allowed} is false, {@code
 * limit} is {@code sliding-log 5/10s}, {@code remaining} 0, {@code retryAfter} 6 s, {@code resetAfter} 6 s.
 *
 * @param allowed whether the request may go ahead, after {@link #waitNanos}
 * @param limit the limit that bound: of a denial the one with the latest fit, else the one with the least remaining; the
 *     first among equals
 * @param remaining the permits that could still be had now, after this decision: the least over all limits. A denial of
 *     weight 5 may have 3 remaining; of a leaky bucket it is the room in the queue
 * @param waitNanos how long an allowed request must wait for its turn, counted from now; 0 if it may go at once
 * @param retryAfterNanos of a denial, the wait after which the same request is allowed at once if nothing else happens,
 *     and not one tick before (of a full leaky bucket, to a caller ready to wait: until it has room); {@link Long#MAX_VALUE} if never; 0 if allowed
 * @param resetAfterNanos the wait until {@link #limit} is as if this key had never been seen, if nothing else happens
 * @param degraded whether the answer came by policy, because the store had no room for the key or had failed
 */
public record Decision(
        boolean allowed,
        Limit limit,
        long remaining,
        long waitNanos,
        long retryAfterNanos,
        long resetAfterNanos,
        boolean degraded) {

    /** The wait of an allowed request; zero if it may go at once. */
    public Duration waitTime() {
        return Duration.ofNanos(waitNanos);
    }

    /** The wait after which a denied request is allowed; about 292 years if {@link #never}. */
    public Duration retryAfter() {
        return Duration.ofNanos(retryAfterNanos);
    }

    /** The wait until the binding limit is as if this key had never been seen. */
    public Duration resetAfter() {
        return Duration.ofNanos(resetAfterNanos);
    }

    /** Whether the request can never pass, because it asks for more than a limit holds: "never", not "not yet". */
    public boolean never() {
        return !allowed && retryAfterNanos == Long.MAX_VALUE;
    }
}
