package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.Store;
import dev.weir.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an outbound limiter learns from responses. */
final class OutboundLearningTest extends OutboundFixture {
    @Test
    void retryAfter_blocksTheKeyAndReservedPermits() {
        RateLimiter limiter = limiter("2/1s");
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit permit = now(outbound);
        now(outbound);
        CompletableFuture<OutboundPermit> reserved = outbound.acquireAsync(CALL);

        answer(permit, 429, Map.of("Retry-After", "30"));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
        time.advance(Duration.ofSeconds(29));
        assertThat(reserved).as("was due after a second").isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(reserved).isCompleted();
    }

    @Test
    void unblock_byAnOperator_endsALearnedBlock() {
        RateLimiter limiter = limiter("2/1s");
        OutboundLimiter outbound = outbound(limiter).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));

        limiter.unblock(KEY);

        assertThat(outbound.acquireAsync(CALL)).isCompleted();
    }

    @Test
    void retryAfter_withoutErrorStatus_isIgnored() {
        RateLimiter limiter = limiter("2/1s");

        answer(now(outbound(limiter).build()), 201, Map.of("Retry-After", "30"));

        assertThat(limiter.peek(KEY).blocked()).isFalse();
    }

    @Test
    void retryAfter_beyondMaxBlock_isCut() {
        RateLimiter limiter = limiter("2/1s");
        OutboundLimiter outbound =
                outbound(limiter).maxBlock(Duration.ofMinutes(2)).build();

        answer(now(outbound), 503, Map.of("Retry-After", "99999999999999999999999999"));

        assertThat(limiter.peek(KEY).retryAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void remaining_fewerThanOurs_consumesTheExcess() {
        RateLimiter limiter = limiter("10/10s");
        OutboundLimiter outbound = outbound(limiter).build();

        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=7;t=10, \"b\";r=4;t=5"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(4);
    }

    @Test
    void remaining_withCallsInFlight_doesNotCountThemTwice() {
        RateLimiter limiter = limiter("10/10s");
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit first = now(outbound);
        for (int i = 0; i < 4; i++) {
            now(outbound);
        }

        answer(first, 200, Map.of("RateLimit", "\"a\";r=8;t=10")); // the server has seen one call more than we made

        assertThat(limiter.peek(KEY).remaining())
                .as("5 in flight or done; the server says 8 and does not know 4 of them")
                .isEqualTo(5);
    }

    @Test
    void remaining_moreThanOurs_doesNotLoosen() {
        RateLimiter limiter = limiter("10/10s");
        OutboundLimiter outbound = outbound(limiter).build();

        answer(now(outbound), 200, Map.of("X-RateLimit-Remaining", "5000", "X-RateLimit-Reset", "1"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
    }

    @Test
    void remainingZero_blocksUntilTheReset() {
        RateLimiter limiter = limiter("10/10s");
        OutboundLimiter outbound = outbound(limiter).build();

        answer(now(outbound), 200, Map.of("RateLimit-Remaining", "0", "RateLimit-Reset", "40"));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
        assertThat(limiter.peek(KEY).retryAfter()).hasSeconds(40);
    }

    /** The provider counts what we count, so its headers say nothing new: its reset is that of the newest call. */
    @Test
    void remainingZero_asWeCounted_doesNotBlock() {
        RateLimiter limiter = limiter("2/10s");
        OutboundLimiter outbound = outbound(limiter).build();
        now(outbound);
        time.advance(Duration.ofSeconds(9));

        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=0;t=10"));

        time.advance(Duration.ofSeconds(1));
        assertThat(outbound.acquireAsync(CALL)).isCompleted();
    }

    @Test
    void remainingZero_onlyCallsInFlight_doesNotBlock() {
        RateLimiter limiter = limiter("2/10s");
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit first = now(outbound);
        now(outbound);

        answer(first, 200, Map.of("RateLimit", "\"a\";r=0;t=10")); // arrived after the second one

        assertThat(limiter.peek(KEY).blocked()).isFalse();
    }

    @Test
    void remainingZero_ofARefusedCall_blocksUntilTheReset() {
        RateLimiter limiter = limiter("1/10s");

        answer(now(outbound(limiter).build()), 429, Map.of("RateLimit", "\"a\";r=0;t=40"));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
        assertThat(limiter.peek(KEY).retryAfter()).hasSeconds(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0"}) // some servers round down
    void remaining_fewerThanOurs_holdsUntilTheReset(String reset) {
        RateLimiter limiter = limiter("100/1m");
        OutboundLimiter outbound = outbound(limiter).build();

        answer(now(outbound), 200, Map.of("RateLimit-Remaining", "4", "RateLimit-Reset", reset));

        time.advance(Duration.ofMillis(999));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(4);
        time.advance(Duration.ofMillis(1));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(99);
    }

    /** The rest of its queue is not what a leaky bucket grants at once. */
    @Test
    void remaining_leakyBucket_isComparedWithWhatNeedsNoWait() {
        RateLimiter limiter = limiter("leaky-bucket 60/1m");
        OutboundLimiter outbound = outbound(limiter).build();

        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=5;t=60"));

        time.advance(Duration.ofSeconds(1));
        assertThat(outbound.acquireAsync(CALL)).isCompleted();
    }

    /** The day of the provider is used up, which none of our limits knows. */
    @ParameterizedTest
    @ValueSource(strings = {"10/1s", "1/1s", "leaky-bucket 60/1m", "gcra 60/1m"})
    void remainingZero_forLongerThanOurLimits_blocksUntilTheReset(String limit) {
        RateLimiter limiter = limiter(limit);
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit permit = now(outbound);

        answer(permit, 200, Map.of("RateLimit", "\"day\";r=0;t=500"));

        time.advance(Duration.ofSeconds(499));
        assertThat(limiter.peek(KEY).blocked()).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(outbound.acquireAsync(CALL)).isCompleted();
    }

    @Test
    void remaining_ofSeveralQuotas_eachIsHeldUntilItsReset() {
        RateLimiter limiter = limiter("100/1m");
        OutboundLimiter outbound = outbound(limiter).build();

        answer(now(outbound), 200, Map.of("RateLimit", "\"s\";r=2;t=1, \"m\";r=12;t=52"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(12);
        time.advance(Duration.ofSeconds(50));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(99);
    }

    @Test
    void remaining_ofManyQuotas_isHeldAfterOneLook() {
        AtomicInteger peeks = new AtomicInteger();
        RateLimiter limiter = answering("100/1m", "peekAsync", () -> peeks.incrementAndGet() < 0, store -> null);

        answer(
                now(outbound(limiter).build()),
                200,
                Map.of("RateLimit", "\"a\";r=40;t=50, \"b\";r=30;t=40, \"c\";r=20;t=30, \"d\";r=10;t=20"));

        assertThat(peeks).hasValue(1);
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(10);
        time.advance(Duration.ofSeconds(20));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(20);
    }

    @Test
    void remaining_ofALaterResponseForLonger_keepsWhatIsHeld() {
        RateLimiter limiter = limiter("100/1m");
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit first = now(outbound);
        OutboundPermit second = now(outbound);

        answer(first, 200, Map.of("RateLimit", "\"s\";r=4;t=2"));
        answer(second, 200, Map.of("RateLimit", "\"m\";r=4;t=30"));

        time.advance(Duration.ofSeconds(29));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(4);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(98);
    }

    /** Two holds end in two seconds; one of them is enough for a quota that allows more, but for longer. */
    @Test
    void remaining_ofALaterResponseForLonger_keepsNoMoreThanItNeeds() {
        RateLimiter limiter = limiter("100/1m");
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit first = now(outbound);
        OutboundPermit second = now(outbound);
        OutboundPermit third = now(outbound);

        answer(first, 200, Map.of("RateLimit", "\"s\";r=90;t=2")); // holds 7 of 97
        answer(second, 200, Map.of("RateLimit", "\"s\";r=80;t=2")); // holds 10
        answer(third, 200, Map.of("RateLimit", "\"m\";r=90;t=30"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(80);
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(90);
        time.advance(Duration.ofSeconds(28));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(97);
    }

    @Test
    void key_nothingIsHeld_isForgotten() {
        RateLimiter limiter = limiter("100/1m");
        OutboundLearning learning = new OutboundLearning(
                new OutboundState(new OutboundState.Settings(Duration.ZERO, null, null, Duration.ofMinutes(1), true)));

        learn(learning, limiter, "\"a\";r=4;t=2");
        assertThat(learning.keys).hasSize(1);
        time.advance(Duration.ofSeconds(2));
        assertThat(learning.keys).isEmpty();

        learn(learning, limiter, "\"a\";r=0;t=40");
        assertThat(limiter.peek(KEY).blocked()).isTrue();
        assertThat(learning.keys).isEmpty();
    }

    private void learn(OutboundLearning learning, RateLimiter limiter, String value) {
        OutboundLearning.Call call = new OutboundLearning.Call(
                new OutboundKey(limiter, KEY),
                List.of(limiter.request(KEY, 1)),
                time.nanos(),
                0,
                limiter.reserve(KEY, Duration.ZERO));
        learning.learn(call, 200, name -> name.equals("RateLimit") ? List.of(value) : List.of());
    }

    /** What a store on another machine answers later. */
    @Test
    void remainingZero_whileAnotherResponseIsEvaluated_isNotLost() {
        CompletableFuture<Decision> slow = new CompletableFuture<>();
        RateLimiter limiter = firstPeek("100/10s", store -> slow);
        OutboundLimiter outbound = outbound(limiter).build();
        OutboundPermit first = now(outbound);
        OutboundPermit second = now(outbound);

        answer(first, 200, Map.of("RateLimit", "\"a\";r=90;t=5"));
        answer(second, 200, Map.of("RateLimit", "\"a\";r=0;t=60"));
        slow.complete(limiter.peek(KEY));

        Await.until(() -> limiter.peek(KEY).blocked());
    }

    @Test
    void remaining_aCallTakesPermitsMeanwhile_holdsTheRest() {
        RateLimiter limiter = firstPeek("100/10s", store -> {
            Limits limits = Limits.parse("100/10s");
            CompletableFuture<Decision> seen = store.peekAsync(Request.of("psp", limits, KEY, 1));
            store.decide("psp", limits, KEY, 3);
            return seen;
        });

        answer(now(outbound(limiter).build()), 200, Map.of("RateLimit", "\"a\";r=2;t=5"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
    }

    @Test
    void remaining_callsTakePermitsEachTime_givesUp() {
        AtomicInteger peeks = new AtomicInteger();
        Limits limits = Limits.parse("100/10s");
        RateLimiter limiter = answering("100/10s", "peekAsync", () -> true, store -> {
            CompletableFuture<Decision> seen = store.peekAsync(Request.of("psp", limits, KEY, 1));
            store.decide("psp", limits, KEY, 3);
            peeks.incrementAndGet();
            return seen;
        });

        answer(now(outbound(limiter).build()), 200, Map.of("RateLimit", "\"a\";r=2;t=5"));

        assertThat(peeks).hasValue(3);
    }

    /** Nearly all responses say nothing new; each peek at a store elsewhere would cost a round trip. */
    @Test
    void remaining_asWeCounted_doesNotCallTheStore() {
        AtomicInteger peeks = new AtomicInteger();
        RateLimiter limiter = answering("10/10s", "peekAsync", () -> true, store -> {
            peeks.incrementAndGet();
            return CompletableFuture.failedFuture(new AssertionError("must not be called"));
        });

        answer(now(outbound(limiter).build()), 200, Map.of("RateLimit", "\"a\";r=9;t=10"));

        assertThat(peeks).hasValue(0);
    }

    private RateLimiter firstPeek(String limit, Function<Store, CompletableFuture<?>> answer) {
        AtomicInteger peeks = new AtomicInteger();
        return answering(limit, "peekAsync", () -> peeks.getAndIncrement() == 0, answer);
    }

    @Test
    void maxBlock_zero_nothingIsLearned() {
        RateLimiter limiter = limiter("100/1h");
        OutboundLimiter outbound = outbound(limiter).maxBlock(Duration.ZERO).build();

        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=0;t=60"));
        answer(now(outbound), 429, Map.of("Retry-After", "60"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(98);
    }

    @Test
    void remaining_fewerForLongerThanMaxBlock_isHeldForMaxBlock() {
        RateLimiter limiter = limiter("100/1h");
        OutboundLimiter outbound =
                outbound(limiter).maxBlock(Duration.ofMinutes(1)).build();

        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=1;t=3000"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(1);
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(99);
    }

    @Test
    void holds_tooMany_areNotAdded() {
        RateLimiter limiter = limiter("100000/1m");
        OutboundLimiter outbound = outbound(limiter).build();
        for (int i = 0; i < OutboundHolds.MOST + 500; i++) {
            answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=" + (90_000 - 3 * i) + ";t=30"));
        }

        assertThat(time.waiting()).isEqualTo(OutboundHolds.MOST);
        time.advance(Duration.ofSeconds(60));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(100_000);
    }

    @Test
    void rateLimitHeaders_switchedOff_areIgnored() {
        RateLimiter limiter = limiter("10/10s");
        OutboundLimiter outbound = outbound(limiter).rateLimitHeaders(false).build();

        answer(now(outbound), 429, Map.of("RateLimit", "\"a\";r=0;t=10", "Retry-After", "0"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
    }
}
