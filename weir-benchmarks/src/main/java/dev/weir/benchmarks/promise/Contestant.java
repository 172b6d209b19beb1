package dev.weir.benchmarks.promise;

import dev.failsafe.RateLimiterBuilder;
import dev.failsafe.RateLimiterConfig;
import dev.weir.Accounting;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderCapacityStage;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** The limiters in memory, each configured for 100 per minute and on a clock that the harness sets. */
enum Contestant {
    WEIR_LOG("sliding-log 100/1m"),
    WEIR_WINDOW("sliding-window 100/1m"),
    WEIR_FIXED("fixed-window 100/1m"),
    WEIR_TOKENS("token-bucket 100/1m"),
    WEIR_LEAKY("leaky-bucket 100/1m"),
    WEIR_GCRA("gcra 100/1m"),

    BUCKET4J(
            "Bucket4j",
            "bucket4j",
            "Bucket.builder().addLimit(limit -> limit.capacity(100).refillGreedy(100, Duration.ofMinutes(1)))",
            "TimeMeter, its public interface",
            time -> bucket4j(limit -> limit.capacity(100).refillGreedy(100, Duration.ofMinutes(1)), time)),

    BUCKET4J_INTERVAL(
            "Bucket4j, by interval",
            "bucket4j",
            "Bucket.builder().addLimit(limit -> limit.capacity(100).refillIntervally(100, Duration.ofMinutes(1)))",
            "TimeMeter, its public interface",
            time -> bucket4j(limit -> limit.capacity(100).refillIntervally(100, Duration.ofMinutes(1)), time)),

    RESILIENCE4J(
            "Resilience4j",
            "resilience4j",
            "RateLimiterConfig.custom().limitForPeriod(100).limitRefreshPeriod(Duration.ofMinutes(1))"
                    + ".timeoutDuration(Duration.ZERO)",
            "the public constructor of AtomicRateLimiter",
            time -> {
                var config = io.github.resilience4j.ratelimiter.RateLimiterConfig.custom()
                        .limitForPeriod(100)
                        .limitRefreshPeriod(Duration.ofMinutes(1))
                        .timeoutDuration(Duration.ZERO)
                        .build();
                return perClient(
                        client -> new AtomicRateLimiter("client-" + client, config, Map.of(), time::get),
                        io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
            }),

    GUAVA(
            "Guava",
            "guava",
            "RateLimiter.create(100 / 60.0)",
            "the stopwatch of its own tests, by a class in its package",
            time -> perClient(
                    client -> com.google.common.util.concurrent.ClockedRateLimiter.create(100 / 60.0, time::get),
                    com.google.common.util.concurrent.RateLimiter::tryAcquire)),

    FAILSAFE_BURSTY(
            "Failsafe, bursty",
            "failsafe",
            "RateLimiter.burstyBuilder(100, Duration.ofMinutes(1))",
            "the stopwatch of its own tests, by a class in its package",
            time -> failsafe(dev.failsafe.RateLimiter.burstyBuilder(100, Duration.ofMinutes(1)), time)),

    FAILSAFE_SMOOTH(
            "Failsafe, smooth",
            "failsafe",
            "RateLimiter.smoothBuilder(100, Duration.ofMinutes(1))",
            "the stopwatch of its own tests, by a class in its package",
            time -> failsafe(dev.failsafe.RateLimiter.smoothBuilder(100, Duration.ofMinutes(1)), time));

    private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

    @SuppressWarnings("ImmutableEnumChecker") // a record of text
    final Label label;

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final Function<AtomicLong, Subject> making;

    Contestant(String limit) {
        this("Weir " + limit, "weir", "Limit.parse(\"" + limit + "\")", "TimeSource", time -> weir(limit, time));
    }

    Contestant(String title, String library, String configuration, String clock, Function<AtomicLong, Subject> making) {
        this.label = new Label(title, library, configuration, "virtual: " + clock);
        this.making = making;
    }

    /** Creates a limiter for all clients, on a clock that returns nanoseconds since the epoch. */
    Subject make(AtomicLong time) {
        return making.apply(time);
    }

    private static Subject bucket4j(
            Function<BandwidthBuilderCapacityStage, BandwidthBuilderBuildStage> limit, AtomicLong time) {
        TimeMeter meter = new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return time.get();
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        };
        return perClient(
                client -> Bucket.builder()
                        .addLimit(limit)
                        .withCustomTimePrecision(meter)
                        .build(),
                bucket -> bucket.tryConsume(1));
    }

    private static Subject failsafe(RateLimiterBuilder<Object> builder, AtomicLong time) {
        RateLimiterConfig<Object> config = builder.build().getConfig();
        return perClient(
                client -> dev.failsafe.internal.ClockedRateLimiter.create(config, time::get),
                dev.failsafe.RateLimiter::tryAcquirePermit);
    }

    /** Weir by its public path. A leaky bucket is a queue, so its requests wait as long as it takes. */
    private static Subject weir(String text, AtomicLong time) {
        Limit limit = Limit.parse(text);
        RateLimiter limiter = RateLimiter.builder()
                .name("promise")
                .limit(limit)
                .store(MemoryStore.builder().timeSource(time::get).build())
                .build();
        boolean queue = limit.accounting().method() == Accounting.Method.QUEUE;
        return client -> {
            String key = "client-" + client;
            Decision decision = queue ? limiter.reserve(key, 1, UNLIMITED).decision() : limiter.tryAcquire(key);
            return decision.allowed() ? decision.waitNanos() : Subject.DENIED;
        };
    }

    /** A limiter for each client, which is created by its first request, as users of a library without keys write it. */
    private static <L> Subject perClient(IntFunction<L> maker, Predicate<L> acquiring) {
        Map<Integer, L> limiters = new HashMap<>();
        return client -> acquiring.test(limiters.computeIfAbsent(client, maker::apply)) ? 0 : Subject.DENIED;
    }
}
