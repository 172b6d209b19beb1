package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The limiters that are measured. On the time source of the system, each but Bucket4j reads the clock that it has by default. */
public enum Contestant {
    /** Weir by its public path, {@link RateLimiter#tryAcquire(String)}, with its own store in memory. */
    WEIR("Weir", Contestant::weir),

    /**
     * Bucket4j, the only peer that supports two limits at once: a local bucket for each key, lock-free as by default, refilled
     * greedily, on the JVM's nanosecond clock: milliseconds, its default, are too coarse for windows of 1 ms and less. {@code tryConsume}
     * is its fastest call: the one that also reports what remains allocates an object for it. The buckets share their bandwidths.
     */
    BUCKET4J("Bucket4j", (limits, time) -> bucket4j(limits, true, time)),

    /**
     * Resilience4j: an {@code AtomicRateLimiter} for each key, with a timeout of zero so that it reserves only what is available now.
     * {@code reservePermission} is its fastest call: {@code acquirePermission} prepares to wait also for no time.
     */
    RESILIENCE4J("Resilience4j", (limits, time) -> {
        Limit limit = only(limits);
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(Math.toIntExact(limit.permits()))
                .limitRefreshPeriod(limit.window())
                .timeoutDuration(Duration.ZERO)
                .build();
        return new PerKey<>(
                limit,
                limiter -> limiter.reservePermission() >= 0,
                key -> time == TimeSource.system()
                        ? new AtomicRateLimiter(key, config)
                        : new AtomicRateLimiter(key, config, Map.of(), time::nanos));
    }),

    /**
     * Guava: it supports only a rate and saves one second of it, so a limit of 10 per minute admits one request at once. Its clock
     * counts microseconds: above a million permits per second it denies nothing.
     */
    GUAVA("Guava", (limits, time) -> {
        Limit limit = only(limits);
        double perSecond = limit.permits() * 1e9 / limit.windowNanos();
        return new PerKey<>(
                limit,
                com.google.common.util.concurrent.RateLimiter::tryAcquire,
                key -> time == TimeSource.system()
                        ? com.google.common.util.concurrent.RateLimiter.create(perSecond)
                        : com.google.common.util.concurrent.ClockedRateLimiter.create(perSecond, time::nanos));
    }),

    /** Failsafe: a bursty limiter for each key, which counts in fixed windows. */
    FAILSAFE("Failsafe", (limits, time) -> failsafe(limits, true, time));

    static final List<Contestant> ALL = List.of(values());
    static final List<Contestant> ONLY_WEIR = List.of(WEIR);
    static final List<Contestant> WITH_TWO_LIMITS = List.of(WEIR, BUCKET4J);

    /** The name as its makers write it. */
    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final BiFunction<Limits, TimeSource, Limiter> making;

    Contestant(String title, BiFunction<Limits, TimeSource, Limiter> making) {
        this.title = title;
        this.making = making;
    }

    /** Creates a limiter with these limits. */
    Limiter make(Limits limits) {
        return make(limits, TimeSource.system());
    }

    /** Creates a limiter with these limits on a time source. */
    public Limiter make(Limits limits, TimeSource time) {
        return making.apply(limits, time);
    }

    /** Returns all but Weir. */
    static List<Contestant> peers() {
        return Stream.of(values()).filter(one -> one != WEIR).toList();
    }

    /** Returns the most permits in a window that this one can enforce: beyond it denies nothing. */
    long mostPermits(long windowNanos) {
        return this == GUAVA ? TimeUnit.NANOSECONDS.toMicros(windowNanos) : Integer.MAX_VALUE;
    }

    private static Limiter weir(Limits limits, TimeSource time) {
        RateLimiter limiter = RateLimiter.builder()
                .limits(limits)
                .timeSource(time)
                .executor(Runnable::run) // the common pool is no part of a limiter's memory
                .build();
        return limiter::tryAcquire;
    }

    /** Creates a bucket of Bucket4j for each key, which is refilled greedily, or all at once after each window. */
    public static Limiter bucket4j(Limits limits, boolean greedily, TimeSource time) {
        TimeMeter meter = time == TimeSource.system() ? TimeMeter.SYSTEM_NANOTIME : meter(time);
        LocalBucketBuilder builder = Bucket.builder().withCustomTimePrecision(meter);
        for (Limit limit : limits.list()) {
            long permits = limit.permits();
            builder.addLimit(bandwidth -> greedily
                    ? bandwidth.capacity(permits).refillGreedy(permits, limit.window())
                    : bandwidth.capacity(permits).refillIntervally(permits, limit.window()));
        }
        return new PerKey<>(limits.list().get(0), bucket -> bucket.tryConsume(1), key -> builder.build());
    }

    private static TimeMeter meter(TimeSource time) {
        return new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return time.nanos();
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        };
    }

    /** Creates a limiter of Failsafe for each key, which counts in fixed windows, or spaces the permits evenly. */
    public static Limiter failsafe(Limits limits, boolean bursty, TimeSource time) {
        Limit limit = only(limits);
        return new PerKey<>(limit, dev.failsafe.RateLimiter::tryAcquirePermit, key -> {
            var built = (bursty
                            ? dev.failsafe.RateLimiter.burstyBuilder(limit.permits(), limit.window())
                            : dev.failsafe.RateLimiter.smoothBuilder(limit.permits(), limit.window()))
                    .build();
            return time == TimeSource.system()
                    ? built
                    : dev.failsafe.internal.ClockedRateLimiter.create(built.getConfig(), time::nanos);
        });
    }

    private static Limit only(Limits limits) {
        if (limits.list().size() != 1) {
            throw new IllegalArgumentException("only one limit is supported, was given " + limits.list());
        }
        return limits.list().get(0);
    }

    /**
     * A map from keys to limiters of one key each, as users of a library without keys write it. A limiter is created on first use;
     * after that a look-up is one {@code get}, which takes no lock.
     */
    private record PerKey<L>(
            Limit limit, Predicate<L> acquiring, Function<String, L> maker, ConcurrentHashMap<String, L> state)
            implements Limiter {
        PerKey(Limit limit, Predicate<L> acquiring, Function<String, L> maker) {
            this(limit, acquiring, maker, new ConcurrentHashMap<>());
        }

        @Override
        public Decision tryAcquire(String key) {
            return isAllowed(key) ? Decision.allowed(limit, 0, 0, 0, 0) : Decision.denied(limit, 0, 0, 0, 0);
        }

        @Override
        public boolean isAllowed(String key) {
            L known = state.get(key);
            return acquiring.test(known != null ? known : state.computeIfAbsent(key, maker));
        }
    }
}
