package dev.weir;

/**
 * A token bucket: a bucket of {@link #burst()} tokens that is refilled evenly, N = {@link #permits()} tokens per window. Each
 * permit takes a token.
 *
 * <p>Guarantee: over any span of length s, at most {@code burst + floor(N * s / window)} permits are granted. The arithmetic is
 * exact: three per second are not three times 333,333,333 ns.
 *
 * <p>Weakness: up to N + burst - 1 permits in one window; with the default burst of N, 2N - 1.
 *
 * <p>A denied request consumes nothing. A refund is exact for the newest grant; an older one is forfeited. Memory: one instant
 * with its fraction. Time: constant.
 */
public final class TokenBucketLimit extends Limit {
    private final long burst;

    TokenBucketLimit(String name, long permits, long windowNanos, long burst) {
        super(name, permits, windowNanos);
        Checks.burst("burst", burst, permits, windowNanos);
        this.burst = burst;
    }

    /** {@return the number of tokens that a full bucket holds; by default N} */
    public long burst() {
        return burst;
    }

    /** {@return the burst: the most permits that one request can be granted} */
    @Override
    public long maxPermitsPerRequest() {
        return burst;
    }

    /**
     * Returns this limit with another burst.
     *
     * @param burst the number of tokens that a full bucket holds, at least 1; {@code burst * window / permits} must be at most 292 years
     * @return a limit that differs in its burst only
     */
    public TokenBucketLimit burst(long burst) {
        return new TokenBucketLimit(name(), permits(), windowNanos(), burst);
    }

    @Override
    public TokenBucketLimit named(String name) {
        return new TokenBucketLimit(name, permits(), windowNanos(), burst);
    }

    @Override
    TokenBucketLimit share(double share) {
        long part = share(permits(), share);
        long burstPart = Math.min(share(burst, share), Checks.maxBurst(part, windowNanos()));
        return new TokenBucketLimit(name(), part, windowNanos(), burstPart);
    }

    @Override
    Object options() {
        return burst;
    }
}
