package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.WorstWindow;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact to the nanosecond, and no overflow admits a request. */
class ArithmeticTest {
    private static final long MAX = Long.MAX_VALUE;

    private final ManualTimeSource clock = new ManualTimeSource(1_700_000_000_123_456_789L);

    private RateLimiter limiter(Limit limit) {
        return RateLimiter.builder().limit(limit).timeSource(clock).build();
    }

    @Tag("large")
    @ParameterizedTest
    @ValueSource(strings = {"sliding-log 3/1s resolution=1ns", "3/1s", "gcra 3/1s"})
    void threeASecondUnderFullDemandForADay_admitsExactlyThreeTimesTheSeconds(String text) {
        RateLimiter limiter = limiter(Limit.parse(text));
        WorstWindow worst = new WorstWindow(1_000_000_000);
        long end = clock.nanos() + Duration.ofDays(1).toNanos();
        long admitted = 0;
        while (clock.nanos() < end) {
            Decision decision = limiter.tryAcquire("key");
            if (decision.allowed()) {
                admitted++;
                worst.granted(0, clock.nanos(), 1);
            } else {
                clock.advanceNanos(decision.retryAfterNanos());
            }
        }

        assertThat(admitted).isEqualTo(3 * 86_400);
        assertThat(worst.worst()).isEqualTo(3);
    }

    private static List<Limit> largest() {
        Duration longest = Duration.ofDays(73 * 365);
        return List.of(
                Limit.slidingLog(MAX, longest),
                Limit.slidingWindow(MAX, longest),
                Limit.fixedWindow(MAX, longest),
                Limit.tokenBucket(MAX, longest),
                Limit.leakyBucket(MAX, longest),
                Limit.gcra(MAX, longest).burst(MAX),
                Limit.slidingLog(MAX, longest).count(Limit.SlidingLog.Count.ATTEMPTS));
    }

    @Test
    void largestLimitInTheLongestWindow_grantsAllAtOnceThenNothing() {
        for (Limit limit : largest()) {
            RateLimiter limiter = limiter(limit);
            assertThat(limiter.tryAcquire("key", MAX).allowed()).as("%s", limit).isTrue();
            assertThat(limiter.tryAcquire("key").allowed()).as("%s", limit).isFalse();
            assertThat(limiter.tryAcquire("key", MAX).allowed()).as("%s", limit).isFalse();
            assertThat(limiter.peek("key").remaining()).as("%s", limit).isZero();
        }
    }

    @Test
    void oneInTheLongestWindow_isOne() {
        Duration longest = Duration.ofDays(73 * 365);
        for (Limit limit : List.of(
                Limit.slidingLog(1, longest),
                Limit.slidingWindow(1, longest),
                Limit.fixedWindow(1, longest).align(Limit.FixedWindow.Align.FIRST),
                Limit.tokenBucket(1, longest),
                Limit.gcra(1, longest),
                Limit.leakyBucket(1, longest))) {
            ManualTimeSource clock = new ManualTimeSource();
            RateLimiter limiter =
                    RateLimiter.builder().limit(limit).timeSource(clock).build();
            assertThat(limiter.tryAcquire("key").allowed()).as("%s", limit).isTrue();
            clock.advance(Duration.ofDays(365 * 50));
            assertThat(limiter.tryAcquire("key").allowed()).as("%s", limit).isFalse();
            assertThat(limiter.reserve("key", 1, Duration.ofDays(1)).decision().allowed())
                    .as("%s", limit)
                    .isFalse();
        }
    }

    @Test
    void largestLimitInASecond_countsWhatIsTaken() {
        for (Limit limit : List.of(
                Limit.slidingLog(MAX, Duration.ofSeconds(1)),
                Limit.fixedWindow(MAX, Duration.ofDays(365)),
                Limit.tokenBucket(MAX, Duration.ofSeconds(1)),
                Limit.leakyBucket(MAX, Duration.ofSeconds(1)))) {
            RateLimiter limiter = limiter(limit);
            assertThat(limiter.tryAcquire("key", MAX - 5).allowed())
                    .as("%s", limit)
                    .isTrue();
            assertThat(limiter.peek("key").remaining()).as("%s", limit).isEqualTo(5);
            assertThat(limiter.tryAcquire("key", 6).allowed()).as("%s", limit).isFalse();
        }
    }

    @Test
    void permitsOfTheLargestLong_ofASmallLimit_isNever() {
        for (String text : List.of(
                "5/1s",
                "sliding-window 5/1s",
                "fixed-window 5/1s",
                "token-bucket 5/1s",
                "leaky-bucket 5/1s",
                "gcra 5/1s")) {
            RateLimiter limiter = limiter(Limit.parse(text));
            limiter.tryAcquire("key");
            assertThat(limiter.tryAcquire("key", MAX).never()).as(text).isTrue();
            assertThat(limiter.reserve("key", MAX, Duration.ofNanos(MAX))
                            .decision()
                            .allowed())
                    .as(text)
                    .isFalse();
        }
    }

    @Test
    void unboundedWaitOnTheLargestLimits_neverReservesTheImpossible() {
        for (Limit limit : largest()) {
            RateLimiter limiter = limiter(limit);
            limiter.tryAcquire("key", MAX);
            for (int i = 0; i < 5; i++) {
                Decision decision =
                        limiter.reserve("key", MAX, Duration.ofNanos(MAX)).decision();
                assertThat(decision.allowed() && decision.waitNanos() == 0)
                        .as("%s", limit)
                        .isFalse();
                assertThat(decision.waitNanos()).as("%s", limit).isNotNegative();
            }
        }
    }

    @Test
    void reservationOfTheLargestLimit_whilePermitsCount_isDeniedAndChangesNothing() {
        for (long permits = MAX - 2; permits > 0; permits++) {
            RateLimiter limiter = limiter(Limit.slidingLog(permits, Duration.ofSeconds(1)));
            limiter.tryAcquire("key");
            clock.advance(Duration.ofMillis(600));
            limiter.tryAcquire("key");
            Decision decision =
                    limiter.reserve("key", permits, Duration.ofHours(1)).decision();
            boolean fits = permits == MAX - 2; // the sum of all permits is a number
            assertThat(decision.allowed()).as("%d", permits).isEqualTo(fits);
            long left = permits - 2;
            assertThat(limiter.peek("key").remaining()).as("%d", permits).isEqualTo(left);
            assertThat(limiter.tryAcquire("key", left + 1).allowed())
                    .as("%d", permits)
                    .isFalse();
            clock.advance(Duration.ofMillis(1_010));
            assertThat(limiter.peek("key").remaining()).as("%d", permits).isEqualTo(fits ? 0 : permits);
        }
    }

    /** The clock advances by up to 584 years in total. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void longestWindows_anyStepsOfTheClock_areGrantedAgainAfterThem() {
        SplittableRandom random = new SplittableRandom(1);
        for (Limit limit : longestWithFewPermits()) {
            for (int trace = 0; trace < 300; trace++) {
                anySteps(limit, new AtomicLong(Long.MIN_VALUE + 5), random);
            }
        }
    }

    private static List<Limit> longestWithFewPermits() {
        Duration longest = Duration.ofDays(73 * 365);
        return List.of(
                Limit.slidingLog(2, longest),
                Limit.slidingLog(2, longest.dividedBy(2)).margin(longest.dividedBy(2)),
                Limit.slidingLog(2, longest).resolution(longest),
                Limit.slidingLog(2, longest).count(Limit.SlidingLog.Count.ATTEMPTS),
                Limit.slidingWindow(1, longest),
                Limit.slidingWindow(2, longest).estimate(Limit.SlidingWindow.Estimate.CLASSIC),
                Limit.fixedWindow(2, longest),
                Limit.fixedWindow(2, longest).align(Limit.FixedWindow.Align.FIRST),
                Limit.tokenBucket(2, longest),
                Limit.leakyBucket(2, longest),
                Limit.gcra(2, longest));
    }

    private static void anySteps(Limit limit, AtomicLong clock, SplittableRandom random) {
        RateLimiter limiter =
                RateLimiter.builder().limit(limit).timeSource(clock::get).build();
        long most = limit.maxPermitsPerRequest();
        for (int i = 0; i < 25; i++) {
            long permits = 1 + random.nextLong(most);
            limiter.peek("key", permits);
            Decision decision = random.nextInt(3) > 0
                    ? limiter.tryAcquire("key", permits)
                    : limiter.reserve("key", permits, Duration.ofNanos(MAX)).decision();
            assertThat(List.of(decision.waitNanos(), decision.retryAfterNanos(), decision.resetAfterNanos()))
                    .as("%s", limit)
                    .allSatisfy(wait -> assertThat(wait).isNotNegative());
            long step = random.nextLong(random.nextInt(3) == 0 ? MAX : 2 * limit.windowNanos());
            boolean outlasts = step > 1L << 62;
            if (clock.get() > 0 && clock.get() > MAX - step) {
                return;
            }
            clock.addAndGet(random.nextBoolean() || outlasts ? step : 0);
            if (outlasts) {
                assertThat(limiter.tryAcquire("key").remaining())
                        .as("%s", limit)
                        .isEqualTo(most - 1);
            }
        }
    }

    /** What was granted under other limits before is 300 years old then, which no difference of two instants can say. */
    @Test
    void limitsChangeBack_afterAStepThatNothingOutlasts_areNew() {
        AtomicLong clock = new AtomicLong(Long.MIN_VALUE + 5);
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/26645d name=long")
                .timeSource(clock::get)
                .build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        limiter.changeLimits(Limits.parse("5/1s name=short"));
        clock.addAndGet(Duration.ofDays(70 * 365).toNanos());
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        clock.addAndGet(Duration.ofDays(230 * 365).toNanos());
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();

        limiter.changeLimits(Limits.parse("1/26645d name=long"));

        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void longestWindow_withMarginBeyondIt_isRefused() {
        Limit.parse("5/26645d");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("sliding-log 5/26644d margin=2d"))
                .withMessageContaining("margin must be at most 1d, was 2d");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("sliding-log 5/26645d margin=1d"))
                .withMessageContaining("margin must be at most 0s, was 1d");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("5/26646d"))
                .withMessageContaining("window must be at most 73 years (26645d)");
    }

    @Test
    void millionADay_tokensAreExact() {
        RateLimiter limiter = limiter(Limit.parse("token-bucket 1000000/1d"));
        assertThat(limiter.tryAcquire("key", 1_000_000).allowed()).isTrue();
        clock.advanceNanos(86_399_999);
        assertThat(limiter.tryAcquire("key").retryAfterNanos()).isEqualTo(86_400_000 - 86_399_999);
        clock.advanceNanos(1);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void instantsBeforeTheEpoch_areInstants() {
        for (String text : List.of("2/1s", "sliding-window 2/1s", "fixed-window 2/1s", "token-bucket 2/1s")) {
            ManualTimeSource early = new ManualTimeSource(-5_000_000_000L);
            RateLimiter limiter =
                    RateLimiter.builder().limit(text).timeSource(early).build();
            assertThat(limiter.tryAcquire("key", 2).allowed()).as(text).isTrue();
            assertThat(limiter.tryAcquire("key").retryAfter()).as(text).isLessThanOrEqualTo(Duration.ofMillis(1017));
            early.advance(Duration.ofMillis(1017));
            assertThat(limiter.tryAcquire("key", 2).allowed()).as(text).isTrue();
        }
    }

    @Test
    void windowsAhead_mergedByALongerOne_stayFull() {
        ManualTimeSource time = new ManualTimeSource(0);
        RateLimiter limiter = RateLimiter.builder()
                .limit(Limit.fixedWindow(Long.MAX_VALUE, Duration.ofSeconds(10)))
                .timeSource(time)
                .build();
        for (int i = 0; i < 4; i++) {
            Reservation reservation = limiter.reserve("k", Long.MAX_VALUE, Duration.ofMinutes(1));
            assertThat(reservation.decision().waitTime()).isEqualTo(Duration.ofSeconds(10L * i));
        }

        limiter.changeLimits(Limits.of(Limit.fixedWindow(Long.MAX_VALUE, Duration.ofSeconds(20))));
        assertThat(limiter.tryAcquire("k").allowed()).isFalse();
        time.advance(Duration.ofSeconds(20));

        assertThat(limiter.tryAcquire("k").retryAfter()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void slidingLog_hugeReservations_doNotOverflowIntoAllowed() {
        RateLimiter limiter = limiter(Limit.parse(Long.MAX_VALUE + "/1s"));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    /** Two stamps can be one tick further apart than there are whole ticks in the window. */
    @Test
    void slidingLog_asManyTicksAsFitAnInt_expires() {
        RateLimiter limiter = limiter(Limit.parse("sliding-log 5/6442450943ns resolution=3ns"));
        limiter.tryAcquire("key");
        clock.advanceNanos(6_442_450_942L);
        limiter.tryAcquire("key");
        clock.advanceNanos(1);

        assertThat(limiter.tryAcquire("key").remaining()).isBetween(2L, 3L); // up to one tick later
    }

    /** The difference between the instants of the reservation and of its refund overflows. */
    @ParameterizedTest
    @ValueSource(strings = {"5/20000d resolution=1000d", "sliding-window 5/20000d estimate=classic"})
    void log_refundOfAReservationFrom500YearsAgo_hasNoEffect(String limit) {
        ManualTimeSource old = new ManualTimeSource(-Long.MAX_VALUE);
        RateLimiter limiter = RateLimiter.builder().limit(limit).timeSource(old).build();
        Reservation reservation = limiter.reserve("key", Duration.ZERO);
        Decision before = reservation.decision();
        for (int i = 0; i < 18; i++) {
            old.advance(Duration.ofDays(10_000));
            before = limiter.tryAcquire("key");
        }
        reservation.cancel();

        old.advance(Duration.ofDays(10_000));
        Decision next = limiter.tryAcquire("key");
        assertThat(next.remaining()).isEqualTo(before.remaining());
        assertThat(next.resetAfter()).isBetween(Duration.ofDays(19_000), Duration.ofDays(21_000));
    }
}
