package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The limiters that are measured. */
public enum Contestant {
    /** Weir by its public path, {@link RateLimiter#tryAcquire(String)}, with its own store in memory. */
    WEIR("Weir", limits -> weir(limits, TimeSource.system())),

    /**
     * Bucket4j, the only peer that supports two limits at once: a local bucket for each key, lock-free as by default, on the JVM's
     * nanosecond clock, refilled greedily. {@code tryConsume} is its fastest call: the one that also reports what remains
     * allocates an object for it.
     */
    BUCKET4J(
            "Bucket4j",
            limits -> new PerKey<>(limits.list().get(0), key -> bucket(limits), bucket -> bucket.tryConsume(1))),

    /** Resilience4j: an {@code AtomicRateLimiter} for each key, with a timeout of zero so that it never waits. */
    RESILIENCE4J("Resilience4j", limits -> {
        Limit limit = only(limits);
        var config = io.github.resilience4j.ratelimiter.RateLimiterConfig.custom()
                .limitForPeriod(Math.toIntExact(limit.permits()))
                .limitRefreshPeriod(limit.window())
                .timeoutDuration(Duration.ZERO)
                .build();
        return new PerKey<>(
                limit,
                key -> io.github.resilience4j.ratelimiter.RateLimiter.of(key, config),
                io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
    }),

    /**
     * Guava: it supports only a rate and saves one second of it, so a limit of 10 per minute admits one request at once. Its clock
     * counts microseconds: above a million permits per second it denies nothing.
     */
    GUAVA("Guava", limits -> {
        Limit limit = only(limits);
        double perSecond = limit.permits() * 1e9 / limit.windowNanos();
        return new PerKey<>(
                limit,
                key -> com.google.common.util.concurrent.RateLimiter.create(perSecond),
                com.google.common.util.concurrent.RateLimiter::tryAcquire);
    }),

    /** Failsafe: a bursty limiter for each key, which counts in fixed windows. */
    FAILSAFE("Failsafe", limits -> {
        Limit limit = only(limits);
        return new PerKey<>(
                limit,
                key -> dev.failsafe.RateLimiter.burstyBuilder(limit.permits(), limit.window())
                        .build(),
                dev.failsafe.RateLimiter::tryAcquirePermit);
    });

    private static final long NANOS_PER_MICRO = 1_000;

    /** The name as its makers write it. */
    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final Function<Limits, Limiter> making;

    Contestant(String title, Function<Limits, Limiter> making) {
        this.title = title;
        this.making = making;
    }

    /** Creates a limiter with these limits. */
    Limiter make(Limits limits) {
        return making.apply(limits);
    }

    /** Returns all but Weir. */
    static List<Contestant> peers() {
        return Stream.of(values()).filter(one -> one != WEIR).toList();
    }

    /** Creates a limiter of Weir on a time source of its own. */
    static Limiter weir(Limits limits, TimeSource timeSource) {
        RateLimiter limiter = RateLimiter.builder()
                .limits(limits)
                .timeSource(timeSource)
                .executor(Runnable::run) // the common pool is no part of a limiter's memory
                .build();
        return new Limiter() {
            @Override
            public Decision tryAcquire(String key) {
                return limiter.tryAcquire(key);
            }

            @Override
            public Object state() {
                return limiter;
            }
        };
    }

    /** Returns the most permits in a window that this one can enforce: beyond it denies nothing. */
    long mostPermits(long windowNanos) {
        return this == GUAVA ? windowNanos / NANOS_PER_MICRO : Integer.MAX_VALUE;
    }

    private static Bucket bucket(Limits limits) {
        LocalBucketBuilder builder = Bucket.builder().withNanosecondPrecision();
        for (Limit limit : limits.list()) {
            builder.addLimit(
                    bandwidth -> bandwidth.capacity(limit.permits()).refillGreedy(limit.permits(), limit.window()));
        }
        return builder.build();
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
    private static final class PerKey<L> implements Limiter {
        private final ConcurrentHashMap<String, L> limiters = new ConcurrentHashMap<>();
        private final Limit limit;
        private final Function<String, L> maker;
        private final Predicate<L> acquiring;

        PerKey(Limit limit, Function<String, L> maker, Predicate<L> acquiring) {
            this.limit = limit;
            this.maker = maker;
            this.acquiring = acquiring;
        }

        @Override
        public Decision tryAcquire(String key) {
            L known = limiters.get(key);
            L limiter = known != null ? known : limiters.computeIfAbsent(key, maker);
            return acquiring.test(limiter) ? Decision.allowed(limit, 0, 0, 0, 0) : Decision.denied(limit, 0, 0, 0, 0);
        }

        @Override
        public Object state() {
            return limiters;
        }
    }
}
