package dev.weir;

import dev.weir.Accounting.Method;
import dev.weir.internal.Durations;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The number of permits that one key may take per window, and the algorithm that counts them. Immutable and thread-safe; equal
 * limits are interchangeable. What is out of range is refused when built, with {@link IllegalArgumentException}. The text form,
 * read by {@link #parse} and written by {@link #toString}, is the same in code, in configuration and on the command line.
 *
 * <pre>{@code
 * Limit.slidingLog(100, Duration.ofMinutes(1))         // "100/1m", the exact default
 * Limit.parse("token-bucket 100/1m burst=200")
 * }</pre>
 *
 * <p>The most permits that each algorithm grants in any window, with N = {@link #permits()}: sliding log N; sliding window
 * N (classic estimate 2N); fixed window 2N; token bucket and GCRA N + burst - 1; leaky bucket N (with weighted requests, N +
 * the largest weight - 1). A denied request consumes nothing, unless a sliding log counts attempts.
 *
 * <p>Limits are made by the factory methods and changed by methods that return a copy, such as {@link #named}. The set of
 * algorithms may grow; code that distinguishes them needs a default case.
 */
@SuppressWarnings("ClassInitializationDeadlock") // references to constructors initialize no subclass
public abstract class Limit extends LimitSpec {
    /** The kinds of limits: the constructor of each by its name in texts. */
    static final Map<String, Function<LimitSpec, Limit>> KINDS = Collections.synchronizedMap(new LinkedHashMap<>());

    static {
        KINDS.put("sliding-log", SlidingLog::new);
        KINDS.put("sliding-window", SlidingWindow::new);
        KINDS.put("fixed-window", FixedWindow::new);
        KINDS.put("token-bucket", TokenBucket::new);
        KINDS.put("leaky-bucket", LeakyBucket::new);
        KINDS.put("gcra", Gcra::new);
        KINDS.put(UNLIMITED, Unlimited::new);
    }

    Limit(LimitSpec spec) {
        super(spec);
    }

    private Limit copy(LimitSpec spec) {
        return Objects.requireNonNull(KINDS.get(algorithm())).apply(spec);
    }

    /**
     * Reads a limit such as {@code 100/1m}, {@code sliding-log 100/1m resolution=10ms count=attempts} or {@code gcra 10/1s
     * burst=5}. Durations are written {@code 10ms 1s 1m 1h 1d 1w} (also {@code ns}, {@code us}, {@code min}) or in ISO-8601.
     *
     * @param text the text of a limit, at most 512 characters
     * @return the limit
     * @throws IllegalArgumentException if the text is not a limit; the message names the error and what is accepted
     */
    public static Limit parse(String text) {
        return LimitText.parse(Objects.requireNonNull(text, "text must not be null"), KINDS);
    }

    /**
     * {@return the exact limit: at most {@code permits} permits in any window of the given length}
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 73 years
     */
    public static SlidingLog slidingLog(long permits, Duration window) {
        return new SlidingLog(LimitSpec.of("sliding-log", permits, window));
    }

    /**
     * {@return a sliding window counter with 60 buckets (below 60 ns, one per nanosecond) and the conservative estimate}
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 73 years
     */
    public static SlidingWindow slidingWindow(long permits, Duration window) {
        return new SlidingWindow(LimitSpec.of("sliding-window", permits, window));
    }

    /**
     * {@return a fixed window counter, whose windows start at multiples of their length}
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 73 years
     */
    public static FixedWindow fixedWindow(long permits, Duration window) {
        return new FixedWindow(LimitSpec.of("fixed-window", permits, window));
    }

    /**
     * {@return a token bucket that holds {@code permits} tokens and is refilled evenly}
     * @param permits the number of tokens refilled per window, at least 1
     * @param window the length of the window, from 1 ns to 73 years
     */
    public static TokenBucket tokenBucket(long permits, Duration window) {
        return new TokenBucket(LimitSpec.of("token-bucket", permits, window));
    }

    /**
     * {@return a leaky bucket: a queue of {@code permits} permits that requests leave evenly spaced}
     * @param permits the number of permits that leave the queue per window, at least 1
     * @param window the length of the window, from 1 ns to 73 years
     */
    public static LeakyBucket leakyBucket(long permits, Duration window) {
        return new LeakyBucket(LimitSpec.of("leaky-bucket", permits, window));
    }

    /**
     * {@return a limit by the generic cell rate algorithm: evenly spaced requests, with a burst of 1}
     * @param permits the number of permits per window, at least 1
     * @param window the length of the window, from 1 ns to 73 years
     */
    public static Gcra gcra(long permits, Duration window) {
        return new Gcra(LimitSpec.of("gcra", permits, window));
    }

    /** {@return the limit that never denies, for keys without a quota; a block, a full store and a failure policy may deny} */
    public static Unlimited unlimited() {
        return new Unlimited(withoutRate());
    }

    /**
     * {@return this limit under another name: a limit of the same kind that differs in its name only}
     * @param name a letter and up to 63 more letters, digits, {@code .}, {@code _} or {@code -}
     */
    public final Limit named(String name) {
        return copy(withName(name));
    }

    /** Returns this limit with a share of its permits and burst, each rounded down and at least 1. */
    final Limit share(double share) {
        return copy(withShare(share));
    }

    /**
     * An exact limit, and Weir's default: in every window of the given length, at most {@link #permits()} permits are granted.
     *
     * <p>Guarantee: for every instant {@code t} on the store's clock, the permits granted in {@code (t - window, t]} never
     * exceed {@code permits}, including weighted requests, refunds, reservations and changed limits. Weakness: a grant is
     * recorded at the end of its tick ({@link #resolution()}), so a request may be denied up to one tick too long.
     *
     * <p>Memory: 1 to 8 bytes per permit, or 16 bytes per tick in which permits were granted if there are many, waits, refunds, or 2^31
     * ticks per window; at most {@code window / resolution + 1} ticks, 2,048 reservations that waited, and 1,024 that are pending,
     * beyond which waiting is denied; about 110 bytes for an idle key. Time: constant for a grant and for a denial of one permit; while
     * reservations are pending, at most one look at each of them. On Redis one round trip. Source: the sliding window log of the
     * rate-limiting literature.
     */
    public static final class SlidingLog extends Limit {
        /** Which requests the log records. */
        public enum Count {
            /** Granted requests only: a denial consumes nothing. The default. */
            ADMITTED,
            /** Denied requests too, of which the newest N permits are kept: retries prolong a denial. No waiting, no refunds. */
            ATTEMPTS
        }

        SlidingLog(LimitSpec spec) {
            super(spec.resolution("resolution")
                    .choice("count", Count.ADMITTED, Method.LOG, Count.ATTEMPTS, Method.LOG_OF_ATTEMPTS)
                    .margin("margin"));
        }

        /** {@return the length of a tick; by default 1 ms or a thousandth of the window, whichever is shorter} */
        public Duration resolution() {
            return Duration.ofNanos(accounting().tickNanos());
        }

        /** {@return which requests the log records} */
        public Count count() {
            return accounting().method() == Method.LOG ? Count.ADMITTED : Count.ATTEMPTS;
        }

        /** {@return by how much the window is widened; by default zero} */
        public Duration margin() {
            return Duration.ofNanos(accounting().windowNanos() - windowNanos());
        }

        /**
         * {@return this limit with another tick: a longer one takes less memory, and denies up to one tick too long}
         * @param resolution the length of a tick, from 1 ns to the length of the window
         */
        public SlidingLog resolution(Duration resolution) {
            return new SlidingLog(with("resolution", Checks.nanos("resolution", resolution)));
        }

        /**
         * {@return this limit with another choice of what the log records}
         * @param count which requests the log records
         */
        public SlidingLog count(Count count) {
            return new SlidingLog(with("count", count));
        }

        /**
         * {@return this limit with a wider window, so that delays between the decision and the action do not break a limit that
         * someone else enforces; choose a margin of at least the variation of that delay}
         * @param margin by how much to widen the window, zero or more; together they last at most 73 years
         */
        public SlidingLog margin(Duration margin) {
            return new SlidingLog(with("margin", Durations.nonNegativeNanos("margin", margin)));
        }
    }

    /**
     * A sliding window counter: one counter for each bucket of the window, so that the state is small whatever the rate.
     *
     * <p>Guarantee: with the conservative estimate, at most N = {@link #permits()} permits are granted in any window. With the
     * classic estimate, at most N in any window that is one bucket shorter, and at most 2N in any window. Weakness: with the
     * conservative estimate, a request may be denied up to one bucket too long.
     *
     * <p>Memory and time: as for {@link SlidingLog}, whose ticks are the buckets.
     */
    public static final class SlidingWindow extends Limit {
        /** How the bucket that is only partly in the window counts. */
        public enum Estimate {
            /** The whole bucket counts until its end has expired: never more than N in a window. The default. */
            CONSERVATIVE,
            /** The whole bucket expires with its start: up to 2N in a window, as other systems count. */
            CLASSIC
        }

        SlidingWindow(LimitSpec spec) {
            super(spec.buckets("buckets")
                    .choice(
                            "estimate",
                            Estimate.CONSERVATIVE,
                            Method.BUCKETS,
                            Estimate.CLASSIC,
                            Method.CLASSIC_BUCKETS));
        }

        /** {@return the number of buckets per window, from 1 to 1,000,000; by default 60, but at most one per nanosecond} */
        public int buckets() {
            return (int) number("buckets", 0);
        }

        /** {@return how a bucket that is only partly in the window counts} */
        public Estimate estimate() {
            return accounting().method() == Method.BUCKETS ? Estimate.CONSERVATIVE : Estimate.CLASSIC;
        }

        /**
         * {@return this limit with another number of buckets: more take more memory and are more precise}
         * @param buckets the number of buckets per window, from 1 to 1,000,000, and at most one per nanosecond
         */
        public SlidingWindow buckets(int buckets) {
            return new SlidingWindow(with("buckets", (long) buckets));
        }

        /**
         * {@return this limit with another estimate}
         * @param estimate how a bucket that is only partly in the window counts
         */
        public SlidingWindow estimate(Estimate estimate) {
            return new SlidingWindow(with("estimate", estimate));
        }
    }

    /**
     * A fixed window counter: one counter that starts again at zero with each window.
     *
     * <p>Guarantee: at most N = {@link #permits()} permits are granted in each of its own windows; at most 2N in any window of
     * the same length. Weakness: around a boundary between two windows, twice the limit may pass within a moment.
     *
     * <p>Memory: 16 bytes for the current window and for each that has reservations, at most 64, beyond which waiting is denied.
     * Time: constant; with reservations, one step for each full window ahead.
     */
    public static final class FixedWindow extends Limit {
        /** Where the windows start. */
        public enum Align {
            /** At multiples of the window's length since the epoch of the store's time source. The default. */
            CLOCK,
            /** At the first allowed request that no window covers. */
            FIRST
        }

        FixedWindow(LimitSpec spec) {
            super(spec.choice("align", Align.CLOCK, Method.CLOCK_WINDOWS, Align.FIRST, Method.FIRST_WINDOWS));
        }

        /** {@return where the windows start} */
        public Align align() {
            return accounting().method() == Method.CLOCK_WINDOWS ? Align.CLOCK : Align.FIRST;
        }

        /**
         * {@return this limit with windows that start elsewhere}
         * @param align where the windows start
         */
        public FixedWindow align(Align align) {
            return new FixedWindow(with("align", align));
        }
    }

    /**
     * A token bucket: it holds {@link #burst()} tokens, one for a permit, and is refilled evenly, N tokens per window.
     *
     * <p>Guarantee: over any span of length s, at most {@code burst + floor(N * s / window)} permits are granted. The
     * arithmetic is exact: three per second are not three times 333,333,333 ns. Weakness: up to N + burst - 1 permits in one
     * window; with the default burst of N, 2N - 1.
     *
     * <p>A refund is exact for the newest grant; an older one is forfeited. Memory: one instant with its fraction. Time:
     * constant.
     */
    public static final class TokenBucket extends Limit {
        TokenBucket(LimitSpec spec) {
            super(spec.burst("burst", spec.permits(), Method.TOKENS));
        }

        /** {@return the number of tokens that a full bucket holds; by default N} */
        public long burst() {
            return accounting().burst();
        }

        /**
         * {@return this limit with another burst}
         * @param burst the tokens of a full bucket, at least 1; {@code burst * window / permits} must be at most 73 years
         */
        public TokenBucket burst(long burst) {
            return new TokenBucket(with("burst", burst));
        }
    }

    /**
     * A leaky bucket: a queue that requests leave evenly spaced, N = {@link #permits()} permits per window, with room for
     * {@link #capacity()} permits. A request that finds the queue full is denied.
     *
     * <p>Guarantee: at most N permits leave the queue in any window; with weighted requests, N + (largest weight - 1).
     * Weakness: it delays requests. A caller that cannot wait ({@code tryAcquire} without {@code maxWait}) is allowed only if
     * the queue is empty. {@link Decision#remaining()} is the room in the queue, whether or not a request could pass at once.
     *
     * <p>Refunds, memory and time: as for {@link TokenBucket}.
     */
    public static final class LeakyBucket extends Limit {
        LeakyBucket(LimitSpec spec) {
            super(spec.burst("capacity", spec.permits(), Method.QUEUE));
        }

        /** {@return the number of permits that fit into the queue; by default N} */
        public long capacity() {
            return accounting().burst();
        }

        /**
         * {@return this limit with another capacity}
         * @param capacity the permits that fit into the queue, at least 1; {@code capacity * window / permits} must be at most 73 years
         */
        public LeakyBucket capacity(long capacity) {
            return new LeakyBucket(with("capacity", capacity));
        }
    }

    /**
     * The generic cell rate algorithm: requests are evenly spaced, N = {@link #permits()} permits per window, with a tolerance
     * of {@link #burst()} permits.
     *
     * <p>Guarantee: over any span of length s, at most {@code burst + floor(N * s / window)} permits are granted; with a burst
     * of 1, at most N in any window. The arithmetic is exact. Weakness: with the default burst of 1, requests that arrive
     * together are denied although the window has room; with a larger burst, up to N + burst - 1 permits in one window.
     *
     * <p>Refunds, memory and time: as for {@link TokenBucket}. Source: ITU-T Recommendation I.371.
     */
    public static final class Gcra extends Limit {
        Gcra(LimitSpec spec) {
            super(spec.burst("burst", 1, Method.SPACING));
        }

        /** {@return the most permits that are granted at once after a pause; by default 1} */
        public long burst() {
            return accounting().burst();
        }

        /**
         * {@return this limit with another burst}
         * @param burst the most permits granted at once, at least 1; {@code burst * window / permits} must be at most 73 years
         */
        public Gcra burst(long burst) {
            return new Gcra(with("burst", burst));
        }
    }

    /** The limit that never denies; see {@link Limit#unlimited}. Its permits are {@link Long#MAX_VALUE}, and its window means nothing. */
    public static final class Unlimited extends Limit {
        Unlimited(LimitSpec spec) {
            super(spec);
        }
    }
}
