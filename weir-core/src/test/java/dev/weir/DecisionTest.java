package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Decisions as users read and create them. */
class DecisionTest {
    private static final Limit LIMIT = Limit.parse("5/10s");

    private final ManualTimeSource time = new ManualTimeSource();

    private RateLimiter limiter(String... limits) {
        return RateLimiter.builder()
                .limits(Limits.parse(limits))
                .timeSource(time)
                .build();
    }

    @Test
    void factories_makeWhatTestsNeed() {
        Decision allowed = Decision.allowed(LIMIT, 3, Duration.ofMillis(20), Duration.ofSeconds(9));
        assertThat(allowed.allowed()).isTrue();
        assertThat(allowed.remaining()).isEqualTo(3);
        assertThat(allowed.waitTime()).isEqualTo(Duration.ofMillis(20));
        assertThat(allowed.retryAfter()).isZero();
        assertThat(allowed.resetAfter()).isEqualTo(Duration.ofSeconds(9));

        Decision denied = Decision.denied(LIMIT, 0, Duration.ofSeconds(6), Duration.ofSeconds(6));
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.waitTime()).isZero();
        assertThat(denied.never()).isFalse();
        assertThat(denied.degraded()).isFalse();
        assertThat(denied.asDegraded().degraded()).isTrue();
        assertThat(denied.asBlocked().blocked()).isTrue();
        assertThat(denied).isEqualTo(Decision.denied(LIMIT, 0, Duration.ofSeconds(6), Duration.ofSeconds(6)));
        assertThat(denied).isNotEqualTo(denied.asBlocked()).isNotEqualTo(denied.asDegraded());
        assertThat(denied).hasToString("denied by sliding-log 5/10s, remaining 0, retry after PT6S, reset after PT6S");
    }

    @Test
    void nonsense_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decision.allowed(LIMIT, -5, Duration.ZERO, Duration.ZERO))
                .withMessageStartingWith("remaining, wait, retry-after and reset-after must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decision.denied(LIMIT, 0, Duration.ofNanos(-1), Duration.ZERO))
                .withMessage("retryAfter must not be negative, was PT-0.000000001S");
        assertThatNullPointerException()
                .isThrownBy(() -> Decision.allowed(null, 0, Duration.ZERO, Duration.ZERO))
                .withMessage("limit must not be null");
        Function<Decision, List<Status>> none = null;
        assertThatNullPointerException()
                .isThrownBy(() ->
                        Decision.allowed(LIMIT, 0, Duration.ZERO, Duration.ZERO).withStatuses(none));
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        Decision.allowed(LIMIT, 0, Duration.ZERO, Duration.ZERO).asBlocked());
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Decision.allowed(LIMIT, 0, Duration.ZERO, Duration.ZERO).withStatuses(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Decision.of(List.of(), true, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Status(0, LIMIT, -1, 0, 0));
    }

    @Test
    void retryAfterSeconds_roundsUp() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        time.advanceNanos(1);
        assertThat(limiter.tryAcquire("key").retryAfter().toSeconds()).isZero(); // what a truncating caller would send
        assertThat(limiter.tryAcquire("key").retryAfterSeconds()).isEqualTo(1);
        time.advanceNanos(999_999_998);
        assertThat(limiter.tryAcquire("key").retryAfterSeconds()).isEqualTo(1);
        time.advanceNanos(1);
        assertThat(limiter.tryAcquire("key").retryAfterSeconds()).isZero();
        assertThat(Decision.denied(LIMIT, 0, Duration.ofSeconds(6), Duration.ZERO)
                        .retryAfterSeconds())
                .isEqualTo(6);
    }

    @Test
    void retryAfterSeconds_never_isANumberThatClientsCanRead() {
        Decision never = limiter("1/1s").tryAcquire("key", 2);
        assertThat(never.never()).isTrue();
        assertThat(never.retryAfterSeconds()).isEqualTo(Integer.MAX_VALUE);
        assertThat(never).asString().startsWith("never by sliding-log 1/1s");
    }

    @Test
    void statuses_blocked_sayTheSameOfOneAndOfSeveralLimits() {
        for (String[] limits : new String[][] {{"2/1m"}, {"2/1m", "100/1s"}}) {
            RateLimiter limiter = limiter(limits);
            assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue();
            limiter.block("key", Duration.ofSeconds(30));

            Decision blocked = limiter.tryAcquire("key");
            assertThat(blocked.statuses()).hasSize(limits.length).allMatch(status -> status.remaining() == 0);
            assertThat(blocked.statuses().get(0).retryAfter()).isEqualTo(Duration.ofMinutes(1));
            assertThat(limiter.peek("other").statuses()).allMatch(status -> status.remaining() > 0);
        }
    }

    @Test
    void statuses_jointRequestWithABlockedKey_sayWhichIsBlocked() {
        RateLimiter limiter = limiter("5/1s");
        limiter.block("key", Duration.ofSeconds(30));

        Decision denied = RateLimiter.tryAcquireAll(limiter.request("other", 1), limiter.request("key", 1));
        assertThat(denied.statuses()).extracting(Status::remaining).containsExactly(5L, 0L);
        assertThat(denied.statuses())
                .extracting(Status::retryAfter)
                .containsExactly(Duration.ZERO, Duration.ofSeconds(30));
    }

    @Test
    void blocked_isReportedUnderAnyLimits() {
        RateLimiter limiter = limiter("5/1s", "100/1m");
        limiter.block("key", Duration.ofSeconds(30));
        Decision blocked = limiter.tryAcquire("key");
        assertThat(blocked.blocked()).isTrue();
        assertThat(blocked.retryAfterSeconds()).isEqualTo(30);
        assertThat(blocked.statuses()).extracting(Status::retryAfterNanos).containsOnly(blocked.retryAfterNanos());
        assertThat(limiter.tryAcquire("key").blocked()).isTrue();
        assertThat(limiter.tryAcquire("other").blocked()).isFalse();

        Reservation through = limiter.reserve("key", Duration.ofMinutes(1));
        assertThat(through.decision().allowed()).isTrue();
        assertThat(through.decision().blocked()).isFalse();
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.tryAcquire("key").blocked()).isFalse();
    }

    @Test
    void denied_byALimitAfterABlock_isNotBlocked() {
        RateLimiter limiter = limiter("1/1m");
        limiter.block("key", Duration.ofSeconds(1));
        limiter.tryAcquire("key");
        time.advance(Duration.ofSeconds(1));
        limiter.tryAcquire("key");
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(limiter.tryAcquire("key").blocked()).isFalse();
    }

    @Test
    void statuses_singleLimit_repeatTheDecision() {
        Decision denied = limiter("1/1s").tryAcquire("key", 2);
        assertThat(denied.statuses()).containsExactly(new Status(0, Limit.parse("1/1s"), 1, Long.MAX_VALUE, 0));
    }

    @Test
    void statuses_severalLimits_repeatedDenialsAreCurrent() {
        RateLimiter limiter = limiter("1/10s", "3/2s");
        limiter.tryAcquire("key");
        assertThat(limiter.tryAcquire("key").statuses())
                .extracting(Status::remaining)
                .containsExactly(0L, 2L);
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.tryAcquire("key").statuses())
                .extracting(Status::remaining)
                .containsExactly(0L, 3L);
        assertThat(limiter.tryAcquire("key").statuses())
                .extracting(Status::retryAfter)
                .containsExactly(Duration.ofSeconds(8), Duration.ZERO);
    }

    @Test
    void blocked_remaining_isNone() {
        RateLimiter limiter =
                RateLimiter.builder().limit("10/1m").timeSource(time).build();
        limiter.block("key", Duration.ofHours(1));
        assertThat(limiter.tryAcquire("key").remaining()).isZero();
    }
}
