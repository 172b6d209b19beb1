package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers from a cached denial whose request was sent at 100 ns and answered at 140 ns. */
final class CachedDenialTest {
    private static final Limits LIMITS = Limits.parse("5/1h");

    private static Decision denied(long retryAfter) {
        return Decision.denied(LIMITS.list().get(0), 2, retryAfter, 500, 7_000);
    }

    private static CachedDenial cached(Request request, Decision decision, long cacheable, long longest) {
        PendingRequest pending = new PendingRequest(0, List.of(request), 0, false, 0, 1);
        return new CachedDenial(pending, new Answer(decision, cacheable, new byte[0], ""), 100, 140, longest);
    }

    private static CachedDenial cached(Decision decision, long cacheable, long longest) {
        return cached(Request.of("limiter", LIMITS, "key", 3), decision, cacheable, longest);
    }

    /** A denial of three permits, until 1,100. */
    private static CachedDenial cached() {
        return cached(denied(1_000), Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private static Decision answer(CachedDenial denial, long permits, long now) {
        return denial.answer(LIMITS, permits, 0, now);
    }

    @Test
    void answer_timesCountFromTheReceipt() {
        Decision later = answer(cached(), 3, 240);
        assertThat(later).isEqualTo(Decision.denied(LIMITS.list().get(0), 2, 900, 400, 7_100));
        assertThat(later.timeNanos()).isEqualTo(7_100);
        assertThat(answer(cached(), 3, 700).resetAfterNanos()).isZero();
    }

    @Test
    void answer_expiresAtTheFirstOfItsTimes_afterTheRequestWasSent() {
        for (CachedDenial denial : List.of(
                cached(), cached(denied(5_000), 1_000, Long.MAX_VALUE), cached(denied(5_000), Long.MAX_VALUE, 1_000))) {
            assertThat(answer(denial, 3, 1_099)).isNotNull();
            assertThat(denial.isExpired(1_099)).isFalse();
            assertThat(answer(denial, 3, 1_100)).isNull();
            assertThat(denial.isExpired(1_100)).isTrue();
        }
    }

    @Test
    void answer_fewerPermits_orMoreThanTheLimit_isNotCached() {
        assertThat(answer(cached(), 2, 200)).isNull();
        assertThat(answer(cached(), 5, 200)).isNotNull();
        assertThat(answer(cached(), 6, 200)).isNull();
        assertThat(cached().answer(Limits.parse("6/1h"), 3, 0, 200)).isNull();
    }

    @Test
    void answer_maxWaitThatMayBeLongEnough_isNotCached() {
        assertThat(cached().answer(LIMITS, 3, 899, 200)).isNotNull();
        assertThat(cached().answer(LIMITS, 3, 900, 200)).isNull();
    }

    @Test
    void answer_never_isDeniedForAnyMaxWait() {
        CachedDenial never = cached(denied(Long.MAX_VALUE), Long.MAX_VALUE, 1_000);
        assertThat(never.answer(LIMITS, 3, Long.MAX_VALUE, 900))
                .extracting(Decision::retryAfterNanos)
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void answer_ofABlock_isBlocked() {
        CachedDenial blocked = cached(denied(1_000).asBlocked(), Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(answer(blocked, 3, 200).blocked()).isTrue();
        assertThat(answer(cached(), 3, 200).blocked()).isFalse();
    }

    @Test
    void answersMoreThan_fewerPermitsOrExpiredOrOtherLimits() {
        CachedDenial ofTwo = ofTwo(LIMITS);
        assertThat(cached().answersMoreThan(null, 200)).isTrue();
        assertThat(cached().answersMoreThan(cached(), 200)).isFalse();
        assertThat(ofTwo.answersMoreThan(cached(), 200)).isTrue();
        assertThat(cached().answersMoreThan(ofTwo, 1_099)).isFalse();
        assertThat(cached().answersMoreThan(ofTwo, 1_100)).isTrue();
        assertThat(cached().answersMoreThan(ofTwo(Limits.parse("6/1h")), 200)).isTrue();
    }

    private static CachedDenial ofTwo(Limits limits) {
        return cached(Request.of("limiter", limits, "key", 2), denied(1_000), Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
