package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.TraceProperty;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retry-after is sufficient and minimal: denied one tick before it, admitted at it, if nothing else happens. */
@Tag("large")
class RetryAfterTest {
    private record Step(long pass, long permits, boolean waits) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4/30ns",
                "sliding-log 5/30ns resolution=7ns",
                "sliding-log 5/30ns resolution=4ns count=attempts",
                "sliding-log 5/30ns margin=4ns",
                "sliding-window 5/24ns buckets=5",
                "sliding-window 5/24ns buckets=5 estimate=classic",
                "fixed-window 4/16ns",
                "fixed-window 4/16ns align=first",
                "token-bucket 3/20ns burst=5",
                "leaky-bucket 3/20ns capacity=5",
                "gcra 7/19ns burst=5"
            })
    void denied_anyWeight_refusedOneTickBeforeAndAdmittedAtIt(String limit) {
        check(Limits.parse(limit));
    }

    @Test
    void denied_byOneOfTwoLimits_refusedOneTickBeforeAndAdmittedAtIt() {
        check(Limits.parse("4/20ns", "6/50ns"));
        check(Limits.parse("sliding-log 4/20ns resolution=6ns", "fixed-window 6/32ns", "gcra 6/25ns burst=5"));
        check(Limits.parse("token-bucket 4/20ns", "6/50ns count=attempts"));
    }

    private static void check(Limits limits) {
        TraceProperty.check(
                11,
                1_500,
                40,
                random -> new Step(random.nextInt(6), random.nextLong(1, 6), random.nextInt(4) == 0),
                trace -> retryAfterIsExact(limits, trace));
    }

    /** Runs the whole trace again for the tick before: the same history, with the last denied request sent a second time. */
    private static void retryAfterIsExact(Limits limits, List<Step> trace) {
        long permits = trace.get(trace.size() - 1).permits;
        Decision denied = afterwards(limits, trace, -1, permits);
        if (denied.allowed() || denied.never()) {
            return;
        }
        long retry = denied.retryAfterNanos();
        assertThat(afterwards(limits, trace, retry, permits).allowed())
                .as("%s at %d ns", denied, retry)
                .isTrue();
        assertThat(afterwards(limits, trace, retry - 1, permits).allowed())
                .as("%s one tick before %d ns", denied, retry)
                .isFalse();
    }

    /** The last step's decision, or that of the same request after the given time. */
    private static Decision afterwards(Limits limits, List<Step> trace, long later, long permits) {
        ManualTimeSource clock = new ManualTimeSource(5_000);
        RateLimiter limiter =
                RateLimiter.builder().limits(limits).timeSource(clock).build();
        for (Step step : trace.subList(0, trace.size() - 1)) {
            clock.advanceNanos(step.pass);
            limiter.reserve("key", step.permits, Duration.ofNanos(step.waits ? 40 : 0));
        }
        clock.advanceNanos(trace.get(trace.size() - 1).pass);
        Decision decision = limiter.tryAcquire("key", permits);
        if (later >= 0) {
            clock.advanceNanos(later);
            decision = limiter.tryAcquire("key", permits);
        }
        return decision;
    }

    @Test
    void moreThanTheLimit_isNever() {
        for (String text : List.of("3/1s", "fixed-window 3/1s", "gcra 3/1s burst=3", "leaky-bucket 3/1s")) {
            Decision decision = RateLimiter.of(Limit.parse(text)).tryAcquire("key", 4);
            assertThat(decision.never()).as(text).isTrue();
            assertThat(decision.allowed()).isFalse();
            assertThat(decision.remaining()).as(text).isEqualTo(3);
        }
    }

    @Test
    void deniedByTwoLimits_namesTheOneWithTheLatestFit() {
        ManualTimeSource clock = new ManualTimeSource();
        RateLimiter limiter = RateLimiter.builder()
                .limit("2/1s")
                .limit("2/1h name=hourly")
                .timeSource(clock)
                .build();
        limiter.tryAcquire("key", 2);

        Decision denied = limiter.tryAcquire("key");

        assertThat(denied.limit().name()).isEqualTo("hourly");
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void fullQueue_ofARequestThatWaitsForAnotherLimit_isWhenThatHasRoom() {
        ManualTimeSource clock = new ManualTimeSource();
        RateLimiter limiter = RateLimiter.builder()
                .limit("leaky-bucket 1/1s capacity=3")
                .limit("3/10s")
                .timeSource(clock)
                .build();
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.reserve("key", 1, Duration.ofSeconds(2))
                            .decision()
                            .allowed())
                    .isTrue();
        }

        Decision denied = limiter.reserve("key", 1, Duration.ofSeconds(20)).decision();

        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(10));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }
}
