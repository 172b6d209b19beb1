package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worked examples of the sources that describe these algorithms, S0 to S4, on every algorithm that they fit. */
class SeedsTest {
    private final ManualTimeSource clock = new ManualTimeSource(0);

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(clock).build();
    }

    private Decision at(String time, RateLimiter limiter) {
        clock.advanceNanos(LocalTime.parse(time).toNanoOfDay() - clock.nanos());
        return limiter.tryAcquire("key");
    }

    private Decision atMillis(long millis, RateLimiter limiter) {
        clock.advanceNanos(millis * 1_000_000 - clock.nanos());
        return limiter.tryAcquire("key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sliding-log 2/1000ms",
                "sliding-log 2/1000ms resolution=100ms",
                "sliding-window 2/1000ms buckets=10",
                "fixed-window 2/1000ms",
                "token-bucket 2/1000ms",
                "gcra 2/1000ms burst=2"
            })
    void s0_twoASecond_admitsAt100And400And1100Not500(String limit) {
        RateLimiter limiter = limiter(limit);

        assertThat(atMillis(100, limiter).allowed()).isTrue();
        assertThat(atMillis(400, limiter).allowed()).isTrue();
        assertThat(atMillis(500, limiter).allowed()).isFalse();
        assertThat(atMillis(1100, limiter).allowed()).isTrue();
    }

    @Test
    void s0_entryExactlyOneWindowOld_isExpired() {
        RateLimiter limiter = limiter("2/1000ms");
        atMillis(100, limiter);
        atMillis(400, limiter);

        assertThat(atMillis(500, limiter).retryAfter()).isEqualTo(Duration.ofMillis(600));
        assertThat(atMillis(1099, limiter).allowed()).isFalse();
        assertThat(atMillis(1100, limiter).allowed()).isTrue();
    }

    @Test
    void s2_deniedAttempt_staysInTheLog() {
        RateLimiter limiter = limiter("sliding-log 2/1m count=attempts");

        assertThat(at("01:00:01", limiter).allowed()).isTrue();
        assertThat(at("01:00:30", limiter).allowed()).isTrue();
        Decision denied = at("01:00:50", limiter);
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(40));
        assertThat(at("01:01:40", limiter).allowed()).isTrue();
        assertThat(at("01:01:45", limiter).allowed()).isFalse(); // 1:00:50 counts still, with 1:01:40
    }

    @ParameterizedTest
    @ValueSource(strings = {"2/1m", "sliding-window 2/1m", "fixed-window 2/1m align=first", "token-bucket 2/1m"})
    void s2_admittedOnlyAlgorithms_sameOutcomesWithoutTheDenial(String limit) {
        RateLimiter limiter = limiter(limit);

        assertThat(at("01:00:01", limiter).allowed()).isTrue();
        assertThat(at("01:00:30", limiter).allowed()).isTrue();
        assertThat(at("01:00:50", limiter).allowed()).isEqualTo(limit.startsWith("token"));
        assertThat(at("01:01:40", limiter).allowed()).isTrue();
    }

    @Test
    void s3_fixedWindowAroundABoundary_admitsTwiceTheLimit() {
        assertThat(admittedAroundElevenOne("fixed-window 5/1m")).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5/1m", "sliding-window 5/1m"})
    void s3_slidingAroundABoundary_admitsTheLimit(String limit) {
        assertThat(admittedAroundElevenOne(limit)).isEqualTo(5);
    }

    private long admittedAroundElevenOne(String limit) {
        RateLimiter limiter = limiter(limit);
        List<Decision> decisions = new ArrayList<>();
        for (String time : List.of("11:00:40", "11:00:45", "11:00:50", "11:00:55", "11:00:59")) {
            decisions.add(at(time, limiter));
        }
        for (String time : List.of("11:01:00", "11:01:03", "11:01:07", "11:01:11", "11:01:15")) {
            decisions.add(at(time, limiter));
        }
        return decisions.stream().filter(Decision::allowed).count();
    }

    @Test
    void s3_classicEstimate_forgetsARequest59MinutesOld() {
        RateLimiter limiter = limiter("sliding-window 1/1h estimate=classic");
        at("11:00:40", limiter);

        assertThat(at("11:59:59", limiter).allowed()).isFalse();
        assertThat(at("12:00:10", limiter).allowed()).isTrue();
    }

    @Test
    void s3_onePartMore_remembersItUntilItExpires() {
        RateLimiter limiter = limiter("sliding-window 1/1h");
        at("11:00:40", limiter);

        assertThat(at("12:00:10", limiter).allowed()).isFalse();
        assertThat(at("12:00:59", limiter).allowed()).isFalse();
        assertThat(at("12:01:00", limiter).allowed()).isTrue();
    }

    @Test
    void s4_leakyBucket_answersWithTheWaitUntilTheDropDrains() {
        RateLimiter limiter = limiter("leaky-bucket 2/1s capacity=3");
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waits.add(limiter.reserve("key", 1, Duration.ofDays(1)).decision().waitTime());
        }

        assertThat(waits).containsExactly(Duration.ZERO, Duration.ofMillis(500), Duration.ofSeconds(1));
        Decision full = limiter.reserve("key", 1, Duration.ofDays(1)).decision();
        assertThat(full.allowed()).isFalse();
        assertThat(full.retryAfter()).isEqualTo(Duration.ofMillis(500));
        clock.advance(Duration.ofMillis(500));
        assertThat(limiter.reserve("key", 1, Duration.ofDays(1)).decision().waitTime())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void s4_tokenBucket_admitsOrRefusesAtOnce() {
        RateLimiter limiter = limiter("token-bucket 1/1s burst=3");

        assertThat(atMillis(0, limiter).allowed()).isTrue();
        assertThat(atMillis(0, limiter).allowed()).isTrue();
        assertThat(atMillis(0, limiter).allowed()).isTrue();
        assertThat(atMillis(0, limiter).allowed()).isFalse();
        assertThat(atMillis(999, limiter).allowed()).isFalse();
        assertThat(atMillis(1000, limiter).allowed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"3/1m", "fixed-window 3/1m", "sliding-window 3/1m", "token-bucket 3/1m", "gcra 3/1m burst=3"})
    void s4_manyInOneInstant_countEach(String limit) {
        RateLimiter limiter = limiter(limit);
        int admitted = 0;
        for (int i = 0; i < 10; i++) {
            admitted += atMillis(60_000, limiter).allowed() ? 1 : 0;
        }

        assertThat(admitted).isEqualTo(3);
    }
}
