package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * How much may pass in how long, and the algorithm that counts it. An immutable value that checks itself when it is
 * made; equal limits are interchangeable. Its text form, read by {@link #parse} and written by {@code toString}, is the
 * same in code, configuration and on the command line.
 *
 * <pre>{@code
 * Limit.slidingLog(100, Duration.ofMinutes(1))         // "100/1m", the exact default
 * Limit.parse("token-bucket 100/1m burst=200")
 * }</pre>
 *
 * <p>What each algorithm lets through in one window of the limit's length, at most, where N is {@link #permits()}:
 * sliding log N, sliding window N (classic estimate: 2N), fixed window 2N, token bucket and gcra N + burst - 1 (so N for
 * gcra's default burst of 1, and 2N - 1 for a token bucket's of N), leaky bucket N (with weights, and the largest less 1).
 */
public sealed interface Limit {

    /** The name that ties state to this limit when limits change; empty means its position among its siblings. */
    String name();

    /** The permits that may pass in one {@link #window()}, at least 1. */
    long permits();

    /** The window in nanoseconds, at least 1. */
    long windowNanos();

    /** The most permits that are ever granted at once. */
    default long mostAtOnce() {
        return permits();
    }

    /** This limit under another name: up to 64 letters, digits, {@code .}, {@code _} and {@code -}, a letter first. */
    Limit named(String name);

    /** The window. */
    default Duration window() {
        return Duration.ofNanos(windowNanos());
    }

    /**
     * Reads a limit such as {@code 100/1m}, {@code sliding-log 100/1m resolution=10ms count=attempts} or {@code gcra
     * 10/1s burst=5}. Durations are {@code 10ms 1s 1m 1h 1d} (also {@code ns}, {@code us}) or ISO-8601.
     *
     * @throws IllegalArgumentException saying what was wrong, where, and what would be accepted
     */
    static Limit parse(String text) {
        return LimitText.parse(text);
    }

    /** An exact limit: in no window of this length do more than {@code permits} pass. */
    static SlidingLog slidingLog(long permits, Duration window) {
        long nanos = Checks.nanos("window", window);
        return new SlidingLog("", permits, nanos, SlidingLog.defaultResolution(nanos), Count.ADMITTED, 0);
    }

    /** A log with coarse ticks: 60 buckets a window, never more than {@code permits} in a window. */
    static SlidingWindow slidingWindow(long permits, Duration window) {
        long nanos = Checks.nanos("window", window);
        return new SlidingWindow("", permits, nanos, SlidingWindow.defaultBuckets(nanos), Estimate.CONSERVATIVE);
    }

    /** A counter that starts again with each window of the clock; up to twice {@code permits} around a boundary. */
    static FixedWindow fixedWindow(long permits, Duration window) {
        return new FixedWindow("", permits, Checks.nanos("window", window), Align.CLOCK);
    }

    /** A bucket of {@code permits} tokens, refilled evenly over the window. */
    static TokenBucket tokenBucket(long permits, Duration window) {
        return new TokenBucket("", permits, Checks.nanos("window", window), permits);
    }

    /** A queue that lets requests leave evenly spaced, {@code permits} a window, with room for {@code permits}. */
    static LeakyBucket leakyBucket(long permits, Duration window) {
        return new LeakyBucket("", permits, Checks.nanos("window", window), permits);
    }

    /** Requests evenly spaced, {@code permits} a window, one at a time. */
    static Gcra gcra(long permits, Duration window) {
        return new Gcra("", permits, Checks.nanos("window", window), 1);
    }

    /** What the sliding log keeps: admitted requests, or every attempt. */
    enum Count {
        /** Only what was admitted counts: a denial takes nothing. */
        ADMITTED,
        /** Denied attempts count too, so that a caller who does not wait is not served. */
        ATTEMPTS
    }

    /** How the sliding window treats the bucket that is only partly in the window. */
    enum Estimate {
        /** The whole bucket counts until its end has left: never too many. */
        CONSERVATIVE,
        /** The bucket is forgotten by its start: up to twice the limit in a window. */
        CLASSIC
    }

    /** Where the fixed windows begin. */
    enum Align {
        /** At multiples of the window since the epoch of the store's clock. */
        CLOCK,
        /** At the first request that no open window covers. */
        FIRST
    }

    /**
     * The exact log.
     *
     * @param resolutionNanos the tick, rounded to the safe side: a denial is less than one tick too strict; memory is at
     *     most {@code window / resolution + 1} runs of 16 bytes, fewer where permits are few. Default: 1 ms or a thousandth of the window, whichever is
     *     less
     * @param count what the log keeps
     * @param marginNanos widens the window, so that jitter after the decision does not break a limit someone else keeps
     */
    record SlidingLog(String name, long permits, long windowNanos, long resolutionNanos, Count count, long marginNanos)
            implements Limit {

        /** Checks the values. */
        public SlidingLog {
            Checks.limit(name, permits, windowNanos);
            Checks.duration("resolution", resolutionNanos, 1, windowNanos);
            Checks.duration("margin", marginNanos, 0, Long.MAX_VALUE - windowNanos);
            Objects.requireNonNull(count, "count");
        }

        static long defaultResolution(long windowNanos) {
            return Math.max(1, Math.min(1_000_000, windowNanos / 1000));
        }

        /** The same limit with another tick. */
        public SlidingLog resolution(Duration resolution) {
            long nanos = Checks.nanos("resolution", resolution);
            return new SlidingLog(name, permits, windowNanos, nanos, count, marginNanos);
        }

        /** The same limit, with another answer to what the log keeps. */
        public SlidingLog count(Count count) {
            return new SlidingLog(name, permits, windowNanos, resolutionNanos, count, marginNanos);
        }

        /** The same limit with its window widened by {@code margin}. */
        public SlidingLog margin(Duration margin) {
            long nanos = Checks.patience("margin", margin);
            return new SlidingLog(name, permits, windowNanos, resolutionNanos, count, nanos);
        }

        @Override
        public SlidingLog named(String name) {
            return new SlidingLog(name, permits, windowNanos, resolutionNanos, count, marginNanos);
        }

        @Override
        public String toString() {
            return LimitText.write(this);
        }
    }

    /**
     * Counters for parts of the window.
     *
     * @param buckets the parts, at least 1; one lasts {@code window / buckets}, rounded up
     * @param estimate how a bucket that is partly in the window counts
     */
    record SlidingWindow(String name, long permits, long windowNanos, int buckets, Estimate estimate) implements Limit {
        /** Checks the values. */
        public SlidingWindow {
            Checks.limit(name, permits, windowNanos);
            Checks.range("buckets", buckets, 1, Math.min(windowNanos, MAX_BUCKETS));
            Objects.requireNonNull(estimate, "estimate");
        }

        static final int MAX_BUCKETS = 1_000_000;

        static int defaultBuckets(long windowNanos) {
            return (int) Math.min(60, windowNanos);
        }

        /** The length of one bucket in nanoseconds. */
        public long bucketNanos() {
            return (windowNanos - 1) / buckets + 1;
        }

        /** The same limit with another number of buckets. */
        public SlidingWindow buckets(int buckets) {
            return new SlidingWindow(name, permits, windowNanos, buckets, estimate);
        }

        /** The same limit with another estimate. */
        public SlidingWindow estimate(Estimate estimate) {
            return new SlidingWindow(name, permits, windowNanos, buckets, estimate);
        }

        @Override
        public SlidingWindow named(String name) {
            return new SlidingWindow(name, permits, windowNanos, buckets, estimate);
        }

        @Override
        public String toString() {
            return LimitText.write(this);
        }
    }

    /**
     * One counter a window.
     *
     * @param align where the windows begin
     */
    record FixedWindow(String name, long permits, long windowNanos, Align align) implements Limit {

        /** Checks the values. */
        public FixedWindow {
            Checks.limit(name, permits, windowNanos);
            Objects.requireNonNull(align, "align");
        }

        /** The same limit with its windows beginning elsewhere. */
        public FixedWindow align(Align align) {
            return new FixedWindow(name, permits, windowNanos, align);
        }

        @Override
        public FixedWindow named(String name) {
            return new FixedWindow(name, permits, windowNanos, align);
        }

        @Override
        public String toString() {
            return LimitText.write(this);
        }
    }

    /**
     * Tokens refilled evenly.
     *
     * @param burst the tokens that a full bucket holds; it must refill in less than 292 years
     */
    record TokenBucket(String name, long permits, long windowNanos, long burst) implements Limit {

        /** Checks the values. */
        public TokenBucket {
            Checks.limit(name, permits, windowNanos);
            Checks.burst("burst", burst, permits, windowNanos);
        }

        @Override
        public long mostAtOnce() {
            return burst;
        }

        /** The same limit with another bucket size. */
        public TokenBucket burst(long burst) {
            return new TokenBucket(name, permits, windowNanos, burst);
        }

        @Override
        public TokenBucket named(String name) {
            return new TokenBucket(name, permits, windowNanos, burst);
        }

        @Override
        public String toString() {
            return LimitText.write(this);
        }
    }

    /**
     * A queue that drains evenly.
     *
     * @param capacity the permits that find room in the queue; it must drain in less than 292 years
     */
    record LeakyBucket(String name, long permits, long windowNanos, long capacity) implements Limit {

        /** Checks the values. */
        public LeakyBucket {
            Checks.limit(name, permits, windowNanos);
            Checks.burst("capacity", capacity, permits, windowNanos);
        }

        @Override
        public long mostAtOnce() {
            return capacity;
        }

        /** The same limit with another queue length. */
        public LeakyBucket capacity(long capacity) {
            return new LeakyBucket(name, permits, windowNanos, capacity);
        }

        @Override
        public LeakyBucket named(String name) {
            return new LeakyBucket(name, permits, windowNanos, capacity);
        }

        @Override
        public String toString() {
            return LimitText.write(this);
        }
    }

    /**
     * The generic cell rate algorithm.
     *
     * @param burst the permits that may pass at once after a pause; they must be earned in less than 292 years
     */
    record Gcra(String name, long permits, long windowNanos, long burst) implements Limit {

        /** Checks the values. */
        public Gcra {
            Checks.limit(name, permits, windowNanos);
            Checks.burst("burst", burst, permits, windowNanos);
        }

        @Override
        public long mostAtOnce() {
            return burst;
        }

        /** The same limit with another burst. */
        public Gcra burst(long burst) {
            return new Gcra(name, permits, windowNanos, burst);
        }

        @Override
        public Gcra named(String name) {
            return new Gcra(name, permits, windowNanos, burst);
        }

        @Override
        public String toString() {
            return LimitText.write(this);
        }
    }
}
