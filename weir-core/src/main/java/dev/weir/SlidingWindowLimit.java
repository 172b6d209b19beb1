package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A sliding window counter: one counter for each bucket of the window, so that the state is small whatever the rate.
 *
 * <p>Guarantee: with the conservative estimate, at most N = {@link #permits()} permits are granted in any window. With the
 * classic estimate, at most N in any window that is one bucket shorter, and at most 2N in any window.
 *
 * <p>Weakness: with the conservative estimate, a request may be denied up to one bucket too early.
 *
 * <p>A denied request consumes nothing. Memory: 16 bytes per bucket in use, plus at most 1,024 pending reservations. Time: as
 * for {@link SlidingLogLimit}.
 *
 * <p>Source: the sliding window counter of the rate-limiting literature.
 */
public final class SlidingWindowLimit extends Limit {
    static final int MAX_BUCKETS = 1_000_000;
    private static final int DEFAULT_BUCKETS = 60;

    private final int buckets;
    private final Estimate estimate;

    /** How the bucket that is only partly in the window counts. */
    public enum Estimate {
        /** The whole bucket counts until its end has expired: never more than N in a window. The default. */
        CONSERVATIVE,
        /** The whole bucket expires with its start: up to 2N in a window, as other systems count. */
        CLASSIC
    }

    SlidingWindowLimit(String name, long permits, long windowNanos) {
        this(name, permits, windowNanos, defaultBuckets(windowNanos), Estimate.CONSERVATIVE);
    }

    private SlidingWindowLimit(String name, long permits, long windowNanos, int buckets, Estimate estimate) {
        super(name, permits, windowNanos);
        Checks.range("buckets", buckets, 1, Math.min(windowNanos, MAX_BUCKETS));
        this.buckets = buckets;
        this.estimate = Objects.requireNonNull(estimate, "estimate must not be null");
    }

    static int defaultBuckets(long windowNanos) {
        return (int) Math.min(DEFAULT_BUCKETS, windowNanos);
    }

    /** {@return the number of buckets per window, from 1 to 1,000,000; by default 60} */
    public int buckets() {
        return buckets;
    }

    /** {@return the length of a bucket: {@code window / buckets}, rounded up to a nanosecond} */
    public Duration bucket() {
        return Duration.ofNanos(bucketNanos());
    }

    /** {@return the length of a bucket in nanoseconds} */
    public long bucketNanos() {
        return (windowNanos() - 1) / buckets + 1;
    }

    /** {@return how a bucket that is only partly in the window counts} */
    public Estimate estimate() {
        return estimate;
    }

    /**
     * Returns this limit with another number of buckets: more take more memory and are more precise.
     *
     * @param buckets the number of buckets per window, from 1 to 1,000,000
     * @return a limit that differs in its buckets only
     */
    public SlidingWindowLimit buckets(int buckets) {
        return new SlidingWindowLimit(name(), permits(), windowNanos(), buckets, estimate);
    }

    /**
     * Returns this limit with another estimate.
     *
     * @param estimate how a bucket that is only partly in the window counts
     * @return a limit that differs in its estimate only
     */
    public SlidingWindowLimit estimate(Estimate estimate) {
        return new SlidingWindowLimit(name(), permits(), windowNanos(), buckets, estimate);
    }

    @Override
    public SlidingWindowLimit named(String name) {
        return new SlidingWindowLimit(name, permits(), windowNanos(), buckets, estimate);
    }

    @Override
    SlidingWindowLimit share(double share) {
        return new SlidingWindowLimit(name(), share(permits(), share), windowNanos(), buckets, estimate);
    }

    @Override
    Object options() {
        return List.of(buckets, estimate);
    }
}
