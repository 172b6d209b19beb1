package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions by an offer equal those of the log; every change of the log changes the next decision. */
class OfferTest {
    private final ManualTimeSource clock = new ManualTimeSource(1_000_000_000_000L);
    private final RateLimiter limiter =
            RateLimiter.builder().limit("2/10s").timeSource(clock).build();

    private Decision denied() {
        Decision decision = limiter.tryAcquire("key");
        assertThat(decision.allowed()).isFalse();
        return decision;
    }

    private void useUp() {
        while (limiter.tryAcquire("key").allowed()) {
            clock.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void repeatedDenial_countsDownToItsRetryAfter() {
        useUp();
        clock.advance(Duration.ofSeconds(3));
        Decision repeated = denied();
        assertThat(repeated.retryAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(repeated.resetAfter()).isEqualTo(Duration.ofSeconds(6));
        assertThat(repeated.remaining()).isZero();

        clock.advanceNanos(repeated.retryAfterNanos() - 1);
        assertThat(denied().retryAfterNanos()).isEqualTo(1);
        clock.advanceNanos(1);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void hugeLimit_remaining_isExact() {
        long permits = (1L << 48) + 5;
        Limit limit = Limit.slidingLog(permits, Duration.ofDays(1));
        RateLimiter huge = RateLimiter.builder().limit(limit).timeSource(clock).build();
        for (int granted = 1; granted < 5; granted++) {
            assertThat(huge.tryAcquire("key").remaining()).isEqualTo(permits - granted);
        }
    }

    @Test
    void heavierRequest_hasItsOwnRetryAfter() {
        useUp();
        denied();
        assertThat(limiter.tryAcquire("key", 2).retryAfter()).isEqualTo(Duration.ofSeconds(9));
        assertThat(limiter.tryAcquire("key", 3).never()).isTrue();
        assertThat(denied().retryAfter()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void refund_closesTheOffer() {
        Reservation first = limiter.reserve("key", 2, Duration.ZERO);
        denied();
        denied();
        first.refund(1);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        denied();
        first.cancel();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void reset_closesTheOffer() {
        useUp();
        denied();
        limiter.reset("key");
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(1);
    }

    @Test
    void block_replacesTheOffer() {
        useUp();
        denied();
        limiter.block("key", Duration.ofMinutes(1));
        assertThat(denied().retryAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(denied().retryAfter()).isEqualTo(Duration.ofMinutes(1));
        clock.advance(Duration.ofSeconds(59));
        assertThat(denied().retryAfter()).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void changedLimits_closeTheOffer() {
        useUp();
        denied();
        limiter.changeLimits(Limits.parse("3/10s"));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        denied();
        limiter.changeLimits(Limits.parse("1/10s"));
        assertThat(denied().retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void reservation_closesTheOffer() {
        useUp();
        denied();
        assertThat(limiter.reserve("key", 1, Duration.ofSeconds(30)).decision().waitTime())
                .isEqualTo(Duration.ofSeconds(8));
        assertThat(denied().retryAfter()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void limitsThatDependOnTheRequest_areNotMixedUp() {
        AtomicReference<Limits> plan = new AtomicReference<>(Limits.parse("1/10s"));
        RateLimiter byPlan = RateLimiter.builder()
                .limitsByKey(key -> plan.get())
                .timeSource(clock)
                .build();
        byPlan.tryAcquire("key");
        assertThat(byPlan.tryAcquire("key").allowed()).isFalse();
        plan.set(Limits.parse("5/10s"));
        assertThat(byPlan.tryAcquire("key").remaining()).isEqualTo(3);
        plan.set(Limits.parse("1/10s"));
        assertThat(byPlan.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void everyAlgorithm_decidesAsWithoutAnOffer() {
        for (String text : new String[] {
            "3/10s", "sliding-window 3/10s", "sliding-window 3/10s estimate=classic", "fixed-window 3/10s",
            "fixed-window 3/10s align=first", "token-bucket 3/10s", "gcra 3/10s burst=3", "leaky-bucket 3/10s"
        }) {
            RateLimiter withOffer = limiter(text);
            RateLimiter withoutOffer = limiter(text);
            for (int i = 0; i < 400; i++) {
                withoutOffer.peek("key"); // a peek closes the offer
                assertThat(withOffer.tryAcquire("key"))
                        .as("%s, step %d", text, i)
                        .isEqualTo(withoutOffer.tryAcquire("key"));
                clock.advanceNanos(1 + i * 7_777_777L % 900_000_000);
            }
        }
    }

    /** Requests that join one tick, alternately by two threads, so that each takes over the offer of the other. */
    @Test
    void twoThreadsAndLimits_decideAsWithoutAnOffer() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        for (String[] texts : new String[][] {
            {"40/10s resolution=500ms"},
            {"40/10s resolution=500ms", "70/30s resolution=1s"},
            {"fixed-window 30/10s", "200/1m resolution=1s"},
        }) {
            RateLimiter withOffer = RateLimiter.builder()
                    .limits(Limits.parse(texts))
                    .timeSource(clock)
                    .build();
            RateLimiter withoutOffer = RateLimiter.builder()
                    .limits(Limits.parse(texts))
                    .timeSource(clock)
                    .build();
            for (int i = 0; i < 600; i++) {
                long permits = i % 7 == 0 ? 3 : 1;
                withoutOffer.peek("key");
                Decision expected = withoutOffer.tryAcquire("key", permits);
                Decision decision = i % 3 == 0
                        ? withOffer.tryAcquire("key", permits)
                        : other.submit(() -> withOffer.tryAcquire("key", permits))
                                .get();
                assertThat(decision).as("step %d", i).isEqualTo(expected);
                assertThat(decision.statuses()).as("step %d", i).isEqualTo(expected.statuses());
                clock.advanceNanos(i % 50 < 40 ? i % 4 * 1_000L : 333_333_333L);
            }
        }
        other.shutdown();
    }

    private RateLimiter limiter(String text) {
        return RateLimiter.builder().limit(Limit.parse(text)).timeSource(clock).build();
    }

    @Test
    void severalLimits_theMostRestrictiveIsNamed() {
        RateLimiter two = RateLimiter.builder()
                .name("test")
                .limit("2/1s")
                .limit("3/1m")
                .store(MemoryStore.builder().timeSource(clock).build())
                .build();
        two.tryAcquire("key", 2);
        for (int i = 0; i < 3; i++) {
            assertThat(two.tryAcquire("key").limit()).isEqualTo(Limit.parse("2/1s"));
        }
        clock.advance(Duration.ofSeconds(1));
        two.tryAcquire("key");
        for (int i = 0; i < 3; i++) {
            assertThat(two.tryAcquire("key").limit()).isEqualTo(Limit.parse("3/1m"));
        }
    }

    @Test
    void blockLongerThanTheLimit_isDecidedAgain() {
        RateLimiter blocked = limiter("2/10s");
        blocked.tryAcquire("key", 2);
        blocked.block("key", Duration.ofSeconds(60));
        blocked.tryAcquire("key");
        clock.advance(Duration.ofSeconds(30));

        assertThat(blocked.tryAcquire("key").resetAfterNanos()).isZero();
        assertThat(blocked.tryAcquire("key").retryAfter()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void blockUnderTwoLimits_theMostRestrictiveIsNamed() {
        RateLimiter two = RateLimiter.builder()
                .limit("100/1m")
                .limit("1/10s")
                .timeSource(clock)
                .build();
        two.tryAcquire("key");
        two.block("key", Duration.ofSeconds(60));
        two.tryAcquire("key");
        clock.advance(Duration.ofSeconds(20));

        Decision later = two.tryAcquire("key");

        assertThat(later).isEqualTo(two.peek("key"));
        assertThat(later.resetAfterNanos()).isEqualTo(Duration.ofSeconds(40).toNanos());
    }

    @Test
    void decide_lessThanOnePermit_isRefusedAndCreatesNone() {
        MemoryStore store = MemoryStore.create();
        Limits limits = Limits.parse("2/1h");
        for (int i = 0; i < 3; i++) {
            store.decide("test", limits, "key", 1);
        }

        assertThatThrownBy(() -> store.decide("test", limits, "key", -2)).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.decide("test", limits, "key", 1).allowed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void none_anyTime_decidesNothing(long reading) {
        Limits unlimited = Limits.of(Limit.unlimited());

        assertThat(Offer.NONE.decide(unlimited, 1, reading)).isNull();
        assertThat(Offer.NONE.decide(unlimited, Long.MAX_VALUE, reading)).isNull();
        assertThat(Offer.NONE.isInForce(reading)).isFalse();
        assertThat(Offer.NONE.close()).isZero();
    }

    @Test
    void decide_anyTimeAndPermits_grantsOnlyBeforeTheEnd() {
        Limits limits = Limits.parse("9/1s");
        long made = Long.MAX_VALUE - 5; // the end is after the overflow
        Decision decision = Decision.allowed(limits.list().get(0), 3, 0, 100, made);
        Offer offer = Offer.of(limits, decision, made, new Offer.Times(10, 10, 10, 100));

        assertThat(offer.decide(limits, 4, made)).isNull();
        assertThat(offer.decide(limits, Long.MAX_VALUE, made)).isNull();
        assertThat(offer.decide(limits, 1, made + 10)).isNull();
        assertThat(offer.decide(limits, 3, made + 9).remaining()).isZero();
        assertThat(offer.close()).isEqualTo(3);
    }
}
