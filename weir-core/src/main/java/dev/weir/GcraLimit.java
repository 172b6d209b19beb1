package dev.weir;

/**
 * The generic cell rate algorithm: requests are evenly spaced, N = {@link #permits()} permits per window, with a tolerance of
 * {@link #burst()} permits.
 *
 * <p>Guarantee: over any span of length s, at most {@code burst + floor(N * s / window)} permits are granted; with a burst of
 * 1, at most N in any window. The arithmetic is exact.
 *
 * <p>Weakness: with the default burst of 1, requests that arrive together are denied although the window has room; with a
 * larger burst, up to N + burst - 1 permits in one window.
 *
 * <p>A denied request consumes nothing. A refund is exact for the newest grant; an older one is forfeited. Memory: one instant
 * with its fraction. Time: constant. Source: ITU-T Recommendation I.371.
 */
public final class GcraLimit extends Limit {
    private final long burst;

    GcraLimit(String name, long permits, long windowNanos, long burst) {
        super(name, permits, windowNanos);
        Checks.burst("burst", burst, permits, windowNanos);
        this.burst = burst;
    }

    /** {@return the most permits that are granted at once after a pause; by default 1} */
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
     * @param burst the most permits that are granted at once, at least 1; {@code burst * window / permits} must be at most 292 years
     * @return a limit that differs in its burst only
     */
    public GcraLimit burst(long burst) {
        return new GcraLimit(name(), permits(), windowNanos(), burst);
    }

    @Override
    public GcraLimit named(String name) {
        return new GcraLimit(name, permits(), windowNanos(), burst);
    }

    @Override
    GcraLimit share(double share) {
        long part = share(permits(), share);
        long burstPart = Math.min(share(burst, share), Checks.maxBurst(part, windowNanos()));
        return new GcraLimit(name(), part, windowNanos(), burstPart);
    }

    @Override
    Object options() {
        return burst;
    }
}
