package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Changed limits, and peeks under other limits: permits that still count are kept. */
class ChangedLimitsTest {
    private final ManualTimeSource clock = new ManualTimeSource(1_000_000_000_000L);

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(clock).build();
    }

    private static int drain(RateLimiter limiter) {
        int admitted = 0;
        for (int i = 0; i < 9; i++) {
            admitted += limiter.tryAcquire("key").allowed() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void peek_underAnotherAlgorithm_takesNothingAway() {
        RateLimiter limiter = limiter("5/10s");
        assertThat(drain(limiter)).isEqualTo(5);

        limiter.changeLimits(Limits.parse("token-bucket 5/10s"));
        assertThat(limiter.peek("key").remaining()).isEqualTo(5);
        limiter.changeLimits(Limits.parse("5/10s"));

        assertThat(drain(limiter)).isZero();
    }

    @Test
    void peek_underAShorterFixedWindow_takesNothingAway() {
        RateLimiter limiter = limiter("fixed-window 5/1h align=first");
        assertThat(drain(limiter)).isEqualTo(5);
        clock.advance(Duration.ofMinutes(1));

        limiter.changeLimits(Limits.parse("fixed-window 5/1m align=first"));
        limiter.peek("key");
        limiter.changeLimits(Limits.parse("fixed-window 5/1h align=first"));

        assertThat(drain(limiter)).isZero();
    }

    @Test
    void limitRemoved_byAnotherLimiterOfTheName_isKeptForThisOne() {
        MemoryStore store = MemoryStore.builder().timeSource(clock).build();
        RateLimiter before = RateLimiter.builder()
                .name("api")
                .limit("5/1m name=user")
                .limit("100/1s name=burst")
                .store(store)
                .build();
        RateLimiter after = RateLimiter.builder()
                .name("api")
                .limit("100/1s name=burst")
                .store(store)
                .build();
        int admitted = 0;
        for (int i = 0; i < 40; i++) {
            admitted += before.tryAcquire("key").allowed() ? 1 : 0;
            after.tryAcquire("key");
        }
        assertThat(admitted).isEqualTo(5);

        clock.advance(Duration.ofMinutes(1));
        assertThat(after.tryAcquire("key").allowed()).isTrue();
        assertThat(drain(before))
                .as("the permits have expired with their window")
                .isEqualTo(5);
    }

    /** The permits are recorded at the end of the wider bucket, which is later than the narrow window, but count from now on. */
    @Test
    void refund_ofAGrantUnderAWiderBucket_makesRoomAtOnce() {
        RateLimiter limiter = limiter("sliding-window 5/40s buckets=1");
        clock.advance(Duration.ofNanos(1));
        Reservation first = limiter.reserve("key", 3, Duration.ZERO);
        limiter.changeLimits(Limits.parse("sliding-window 4/6s buckets=3"));
        assertThat(limiter.reserve("key", 3, Duration.ZERO).decision().allowed())
                .isFalse();

        first.refund(2);

        assertThat(limiter.reserve("key", 3, Duration.ZERO).decision().allowed())
                .isTrue();
    }

    @Test
    void widerWindowReturns_withMoreThanALongHolds_stillDenies() {
        Limits wide = Limits.parse("9223372036854775807/10s");
        Limits narrow = Limits.parse("9223372036854775807/1s");
        RateLimiter limiter =
                RateLimiter.builder().limits(wide).timeSource(clock).build();
        limiter.tryAcquire("key");
        limiter.changeLimits(narrow);
        for (int i = 0; i < 2; i++) {
            clock.advance(Duration.ofSeconds(2));
            assertThat(limiter.tryAcquire("key", Long.MAX_VALUE).allowed()).isTrue();
        }

        limiter.changeLimits(wide);

        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(limiter.peek("key").remaining()).isZero();
        clock.advance(Duration.ofSeconds(9));
        assertThat(limiter.tryAcquire("key").allowed())
                .as("the newer half still counts")
                .isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void countFlippedToAttempts_withPendingReservations_theWindowIsKept() {
        RateLimiter limiter = limiter("10/1m");
        for (int i = 0; i < 4; i++) {
            assertThat(limiter.reserve("key", 10, Duration.ofHours(1))
                            .decision()
                            .allowed())
                    .isTrue();
        }
        limiter.changeLimits(Limits.parse("10/1m count=attempts"));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(limiter.tryAcquire("key", 10).allowed()).isFalse();
    }

    @Test
    void fixedWindow_hugeWindowsMergedByAChange_doNotOverflowIntoAllowed() {
        RateLimiter limiter = limiter("fixed-window " + Long.MAX_VALUE + "/1s");
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.changeLimits(Limits.parse("fixed-window 5/1d"));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void slidingLog_hugeReservationsUnderAWiderWindow_doNotOverflowIntoAllowed() {
        RateLimiter limiter = limiter(Long.MAX_VALUE + "/1s");
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", 2, Duration.ofHours(1));
        limiter.changeLimits(Limits.parse("5/1d"));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void slidingLog_expiredHugeReservationsUnderAWiderWindow_stillCount() {
        RateLimiter limiter = limiter(Long.MAX_VALUE + "/1s");
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.changeLimits(Limits.parse("5/1d"));
        clock.advance(Duration.ofMillis(500));
        limiter.tryAcquire("key");
        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void pendingRequest_followsChangedLimits() {
        RateLimiter limiter = limiter("5/1m");
        Request held = limiter.request("key", 2);
        limiter.changeLimits(Limits.parse("1/1m"));
        assertThat(RateLimiter.tryAcquireAll(held).never()).isTrue();
    }
}
