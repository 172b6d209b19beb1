package dev.weir.benchmarks.promise;

import dev.weir.Accounting;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.benchmarks.memory.Contestant;
import dev.weir.benchmarks.memory.Limiter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limiters that are put to the test, each configured for 100 per minute: those in memory on a clock that the harness sets, those
 * on a server in real time.
 */
enum Subject {
    WEIR_LOG("sliding-log 100/1m"),
    WEIR_WINDOW("sliding-window 100/1m"),
    WEIR_FIXED("fixed-window 100/1m"),
    WEIR_TOKENS("token-bucket 100/1m"),
    WEIR_LEAKY("leaky-bucket 100/1m"),
    WEIR_GCRA("gcra 100/1m"),

    BUCKET4J(
            "Bucket4j",
            "Bucket.builder().addLimit(limit -> limit.capacity(100).refillGreedy(100, Duration.ofMinutes(1)))",
            "virtual: TimeMeter, its public interface",
            Contestant.BUCKET4J::make),
    BUCKET4J_INTERVAL(
            "Bucket4j, by interval",
            "Bucket.builder().addLimit(limit -> limit.capacity(100).refillIntervally(100, Duration.ofMinutes(1)))",
            "virtual: TimeMeter, its public interface",
            (limits, time) -> Contestant.bucket4j(limits, false, time)),

    RESILIENCE4J(
            "Resilience4j",
            "RateLimiterConfig.custom().limitForPeriod(100).limitRefreshPeriod(Duration.ofMinutes(1))"
                    + ".timeoutDuration(Duration.ZERO)",
            "virtual: the public constructor of AtomicRateLimiter",
            Contestant.RESILIENCE4J::make),

    GUAVA(
            "Guava",
            "RateLimiter.create(100 / 60.0)",
            "virtual: the stopwatch of its own tests, by a class in its package",
            Contestant.GUAVA::make),

    FAILSAFE_BURSTY(
            "Failsafe, bursty",
            "RateLimiter.burstyBuilder(100, Duration.ofMinutes(1))",
            "virtual: the stopwatch of its own tests, by a class in its package",
            Contestant.FAILSAFE::make),
    FAILSAFE_SMOOTH(
            "Failsafe, smooth",
            "RateLimiter.smoothBuilder(100, Duration.ofMinutes(1))",
            "virtual: the stopwatch of its own tests, by a class in its package",
            (limits, time) -> Contestant.failsafe(limits, false, time)),

    REDISSON(
            "Redisson",
            "getRateLimiter(key).trySetRate(RateType.OVERALL, 100, Duration.ofMinutes(1))",
            "real time, 60 times as fast: 100 per second",
            null),
    WEIR_ON_REDIS(
            "Weir on Redis, 100/1m",
            "Limit.parse(\"100/1m\"), RedisStore.connect(uri)",
            "real time, 60 times as fast: 100 per second",
            null);

    private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

    final String title;
    final String configuration;
    final String clock;

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final @Nullable BiFunction<Limits, TimeSource, Limiter> making;

    Subject(String limit) {
        this(
                "Weir " + limit,
                "Limit.parse(\"" + limit + "\")",
                "virtual: TimeSource",
                (limits, time) -> weir(Limit.parse(limit), time));
    }

    /**
     * Describes a limiter.
     *
     * @param title its name, which begins with the library by which {@code versions.properties} has the version
     * @param configuration its configuration for 100 per minute, as code
     * @param clock what its time is
     * @param making creates the limiter for all clients; null if its clock cannot be set
     */
    Subject(
            String title,
            String configuration,
            String clock,
            @Nullable BiFunction<Limits, TimeSource, Limiter> making) {
        this.title = title;
        this.configuration = configuration;
        this.clock = clock;
        this.making = making;
    }

    /** Returns those on a clock that the harness sets. */
    static List<Subject> inMemory() {
        return Stream.of(values()).filter(one -> one.making != null).toList();
    }

    /** Returns the version that the build put into the jar. */
    String version() {
        String library = title.split("\\W", 2)[0].toLowerCase(Locale.ROOT);
        return ResourceBundle.getBundle(Subject.class.getPackageName() + ".versions")
                .getString(library);
    }

    /**
     * Creates a limiter of clients, by number, on a clock that returns nanoseconds since the epoch. Not thread-safe. It requests one
     * permit, and returns the wait in nanoseconds, 0 if the permit is granted now, or {@link Examination#DENIED}.
     */
    IntToLongFunction make(AtomicLong time) {
        Limiter limiter = Objects.requireNonNull(making).apply(Limits.parse("100/1m"), time::get);
        return client -> {
            Decision decision = limiter.tryAcquire("client-" + client);
            return decision.allowed() ? decision.waitNanos() : Examination.DENIED;
        };
    }

    /** Weir by its public path. A leaky bucket is a queue, so its requests wait as long as it takes. */
    private static Limiter weir(Limit limit, TimeSource time) {
        RateLimiter limiter =
                RateLimiter.builder().limit(limit).timeSource(time).build();
        return limit.accounting().method() == Accounting.Method.QUEUE
                ? key -> limiter.reserve(key, 1, UNLIMITED).decision()
                : limiter::tryAcquire;
    }
}
