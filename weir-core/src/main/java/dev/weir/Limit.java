package dev.weir;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;

/**
 * The number of permits that one key may take per window, and the algorithm that counts them. Immutable, thread-safe, and
 * checked when built; equal limits are interchangeable. The text form, read by {@link #parse} and written by {@link
 * #toString}, is the same in code, in configuration and on the command line.
 *
 * <pre>{@code
 * Limit.slidingLog(100, Duration.ofMinutes(1))         // "100/1m", the exact default
 * Limit.parse("token-bucket 100/1m burst=200")
 * }</pre>
 *
 * <p>The most permits that each algorithm grants in any window, with N = {@link #permits()}: sliding log N; sliding window
 * N (classic estimate 2N); fixed window 2N; token bucket and GCRA N + burst - 1; leaky bucket N (with weighted requests, N +
 * the largest weight - 1).
 *
 * <p>Limits are made by the factory methods and changed by methods that return a copy, such as {@link #named}. The set of
 * algorithms may grow; code that distinguishes them needs a default case.
 */
public abstract class Limit {
    private final String name;
    private final long permits;
    private final long windowNanos;

    Limit(String name, long permits, long windowNanos) {
        Checks.limit(name, permits, windowNanos);
        this.name = name;
        this.permits = permits;
        this.windowNanos = windowNanos;
    }

    /**
     * Reads a limit such as {@code 100/1m}, {@code sliding-log 100/1m resolution=10ms count=attempts} or {@code gcra 10/1s
     * burst=5}. Durations are written {@code 10ms 1s 1m 1h 1d 1w} (also {@code ns}, {@code us}, {@code min}) or in ISO-8601.
     *
     * @param text the text of a limit, at most 512 characters
     * @return the limit
     * @throws IllegalArgumentException if the text is not a limit; the message names the column, the error and what is accepted
     */
    public static Limit parse(String text) {
        return LimitText.parse(Objects.requireNonNull(text, "text must not be null"));
    }

    /**
     * Creates the exact limit: at most {@code permits} permits in any window of the given length.
     *
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 292 years
     * @return a limit with the default resolution
     */
    public static SlidingLogLimit slidingLog(long permits, Duration window) {
        return new SlidingLogLimit("", permits, Checks.nanos("window", window));
    }

    /**
     * Creates a sliding window counter with 60 buckets.
     *
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 292 years
     * @return a limit with the conservative estimate
     */
    public static SlidingWindowLimit slidingWindow(long permits, Duration window) {
        return new SlidingWindowLimit("", permits, Checks.nanos("window", window));
    }

    /**
     * Creates a fixed window counter, whose windows start at multiples of their length.
     *
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 292 years
     * @return a limit that is aligned with the clock
     */
    public static FixedWindowLimit fixedWindow(long permits, Duration window) {
        return new FixedWindowLimit("", permits, Checks.nanos("window", window), FixedWindowLimit.Align.CLOCK);
    }

    /**
     * Creates a token bucket that holds {@code permits} tokens and is refilled evenly.
     *
     * @param permits the number of tokens refilled per window, at least 1
     * @param window the length of the window, from 1 ns to 292 years
     * @return a limit with a burst of {@code permits}
     */
    public static TokenBucketLimit tokenBucket(long permits, Duration window) {
        return new TokenBucketLimit("", permits, Checks.nanos("window", window), permits);
    }

    /**
     * Creates a leaky bucket: a queue that requests leave evenly spaced.
     *
     * @param permits the number of permits that leave the queue per window, at least 1
     * @param window the length of the window, from 1 ns to 292 years
     * @return a limit with a capacity of {@code permits}
     */
    public static LeakyBucketLimit leakyBucket(long permits, Duration window) {
        return new LeakyBucketLimit("", permits, Checks.nanos("window", window), permits);
    }

    /**
     * Creates a limit by the generic cell rate algorithm: evenly spaced requests.
     *
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 292 years
     * @return a limit with a burst of 1
     */
    public static GcraLimit gcra(long permits, Duration window) {
        return new GcraLimit("", permits, Checks.nanos("window", window), 1);
    }

    /**
     * Returns the limit that never denies, for keys without a quota. A block still denies.
     *
     * @return the limit, written {@code unlimited}
     */
    public static UnlimitedLimit unlimited() {
        return UnlimitedLimit.UNNAMED;
    }

    /**
     * Returns the name under which state is carried over when limits change.
     *
     * @return the name; empty if the position among the key's limits identifies this limit
     */
    public final String name() {
        return name;
    }

    /**
     * Returns the number of permits per window.
     *
     * @return at least 1
     */
    public final long permits() {
        return permits;
    }

    /**
     * Returns the length of the window.
     *
     * @return at least 1 ns
     */
    public final Duration window() {
        return Duration.ofNanos(windowNanos);
    }

    /**
     * Returns the length of the window in nanoseconds.
     *
     * @return at least 1
     */
    public final long windowNanos() {
        return windowNanos;
    }

    /**
     * Returns the most permits that one request can be granted: N, the burst of a token bucket or of GCRA, the capacity of a
     * leaky bucket. A request for more is denied with {@link Decision#never()}.
     *
     * @return at least 1
     */
    public long maxPermitsPerRequest() {
        return permits;
    }

    /**
     * Returns this limit under another name.
     *
     * @param name a letter and up to 63 more letters, digits, {@code .}, {@code _} or {@code -}
     * @return a limit that differs in its name only
     */
    public abstract Limit named(String name);

    /** Returns this limit with a share of its permits, burst and capacity, each rounded down and at least 1. */
    abstract Limit share(double share);

    /** Returns the options beyond name, permits and window, in a fixed order. */
    abstract Object options();

    @Override
    public final boolean equals(Object other) {
        return this == other
                || (other instanceof Limit limit
                        && limit.getClass() == getClass()
                        && limit.permits == permits
                        && limit.windowNanos == windowNanos
                        && limit.name.equals(name)
                        && limit.options().equals(options()));
    }

    @Override
    public final int hashCode() {
        return 31 * (31 * getClass().getName().hashCode() + Long.hashCode(permits)) + Long.hashCode(windowNanos);
    }

    /** Returns the canonical text, which {@link #parse} reads; options that have their default are left out. */
    @Override
    public final String toString() {
        return LimitText.write(this);
    }

    static long share(long permits, double share) {
        BigDecimal exact =
                BigDecimal.valueOf(permits).multiply(new BigDecimal(share)); // a double cannot count beyond 2^53
        return Math.max(1, exact.longValue());
    }
}
