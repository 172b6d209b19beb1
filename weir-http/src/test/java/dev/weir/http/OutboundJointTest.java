package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.StoreException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Calls that take permits of several limiters, or of several keys, together. */
class OutboundJointTest extends OutboundFixture {
    private static final URI REFUND = CALL.resolve("/refunds");
    private static final String REFUNDS = "refunds";

    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();
    private final RateLimiter account = named("account", "5/1s margin=200ms");
    private final RateLimiter refunds = named("refunds", "2/1s margin=100ms");

    private RateLimiter named(String name, String limit) {
        return RateLimiter.builder().name(name).limit(limit).store(store).build();
    }

    private static boolean isRefund(URI uri) {
        return uri.getPath().equals("/refunds");
    }

    private OutboundLimiter.Builder accountFirst() {
        return outbound(account).and(refunds, uri -> isRefund(uri) ? REFUNDS : null, uri -> 1);
    }

    private OutboundLimiter.Builder refundsFirst() {
        return outbound(refunds).key(uri -> isRefund(uri) ? REFUNDS : null).and(account, uri -> KEY, uri -> 1);
    }

    private static OutboundPermit refund(OutboundLimiter outbound) {
        CompletableFuture<OutboundPermit> permit = outbound.acquireAsync(REFUND);
        assertThat(permit).isCompleted();
        return permit.join();
    }

    private long left(RateLimiter limiter) {
        return limiter.peek(limiter == refunds ? REFUNDS : KEY).remaining();
    }

    @Test
    void acquire_call_takesPermitsOfItsLimitersOnly() throws Exception {
        OutboundLimiter outbound = accountFirst().build();

        assertThat(outbound.acquire(REFUND)).isNotNull();
        assertThat(outbound.acquire(CALL)).isNotNull();

        assertThat(left(account)).isEqualTo(3);
        assertThat(left(refunds)).isEqualTo(1);
    }

    @Test
    void acquire_allKeysNull_isNotLimited() throws Exception {
        OutboundLimiter outbound = accountFirst().key(uri -> null).build();

        assertThat(outbound.acquire(CALL).cancel()).isFalse();
        assertThat(left(account)).isEqualTo(5);
    }

    @Test
    void acquire_severalKeysOfALimiter_takesPermitsOfEach() throws Exception {
        OutboundLimiter outbound =
                outbound(account).and(account, uri -> "merchant", uri -> 3).build();

        assertThat(outbound.acquire(CALL)).isNotNull();

        assertThat(left(account)).isEqualTo(4);
        assertThat(account.peek("merchant").remaining()).isEqualTo(2);
    }

    @Test
    void acquire_oneDenies_takesNothingAndNamesIt() {
        OutboundLimiter outbound = accountFirst().maxWait(Duration.ZERO).build();
        refund(outbound);
        refund(outbound);

        assertThatExceptionOfType(OutboundLimitException.class)
                .isThrownBy(() -> outbound.acquire(REFUND))
                .withMessageContaining("'refunds'");

        assertThat(left(account)).isEqualTo(3);
    }

    @Test
    void acquireAsync_oneIsFull_waitsForAllAtOneInstant() {
        OutboundLimiter outbound = accountFirst().build();
        refund(outbound);
        refund(outbound);

        CompletableFuture<OutboundPermit> third = outbound.acquireAsync(REFUND);
        now(outbound);

        time.advance(Duration.ofMillis(1_099));
        assertThat(third).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(third).isCompleted();
        time.advance(Duration.ofMillis(1_199));
        assertThat(left(account))
                .as("the permit of the account counts from the same instant")
                .isEqualTo(4);
    }

    /** A refund that waits for its own limit takes its share of the account, and delays no other call beyond that. */
    @Test
    void acquireAsync_anotherCallWaitsForItsOwnLimit_isNotDelayed() {
        OutboundLimiter outbound = accountFirst().build();
        refund(outbound);
        refund(outbound);
        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(REFUND);

        now(outbound);
        now(outbound);

        assertThat(outbound.acquireAsync(CALL))
                .as("it would be the sixth until 1.2 s")
                .isNotDone();
        time.advance(Duration.ofMillis(1_100));
        assertThat(waiting).isCompleted();
    }

    @Test
    void acquireAsync_cancelled_releasesAll() {
        OutboundLimiter outbound = accountFirst().build();
        refund(outbound);
        OutboundPermit unused = refund(outbound);
        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(REFUND);

        assertThat(waiting.cancel(false)).isTrue();
        assertThat(unused.cancel()).isTrue();

        assertThat(left(account)).isEqualTo(4);
        assertThat(left(refunds)).isEqualTo(1);
        assertThat(pending(account)).isZero();
    }

    @Test
    void acquire_duplicateKeyOrOtherStore_throws() {
        OutboundLimiter duplicate =
                outbound(account).and(account, uri -> KEY, uri -> 1).build();
        OutboundLimiter otherStore =
                outbound(account).and(limiter("1/1s"), uri -> KEY, uri -> 1).build();

        assertThatIllegalArgumentException().isThrownBy(() -> duplicate.acquire(CALL));
        assertThatIllegalArgumentException().isThrownBy(() -> otherStore.acquire(CALL));
    }

    /** 51 ms are more than half of the margin of the refunds, and less than that of the account. */
    @Test
    void permit_tooOldForOneLimiter_isCancelledForAll() {
        RateLimiter pausing = RateLimiter.builder()
                .name("account")
                .store(store)
                .limitsByKey(limitsAfter(Duration.ofMillis(51), new int[] {1}, "5/1s margin=200ms"))
                .build();
        OutboundLimiter outbound =
                outbound(pausing).and(refunds, uri -> REFUNDS, uri -> 1).build();

        refund(outbound);

        assertThat(outbound.latePermits()).isEqualTo(1);
        assertThat(left(account)).isEqualTo(4);
        assertThat(left(refunds)).isEqualTo(1);
    }

    @Test
    void countTwiceAfter_lateResponse_takesThePermitsOfEachAgain() {
        OutboundLimiter outbound =
                accountFirst().countTwiceAfter(Duration.ofMillis(4)).build();
        OutboundPermit late = refund(outbound);
        time.advance(Duration.ofMillis(5));

        answer(late, 200, Map.of());

        assertThat(left(account)).isEqualTo(3);
        assertThat(left(refunds)).isZero();
    }

    /** The two limits are full at different times. */
    @Test
    void countTwiceAfter_oneLimiterIsUsedUp_takesThoseOfTheOther() {
        OutboundLimiter outbound = outbound(account)
                .and(refunds, uri -> REFUNDS, uri -> 2)
                .countTwiceAfter(Duration.ofMillis(4))
                .build();
        OutboundPermit late = refund(outbound);
        time.advance(Duration.ofMillis(5));

        answer(late, 200, Map.of());

        assertThat(left(account)).isEqualTo(3);
    }

    @Test
    void retryAfter_blocksTheFirstKeyOfTheCall() {
        OutboundLimiter outbound = refundsFirst().build();

        answer(refund(outbound), 429, Map.of("Retry-After", "30"));

        assertThat(refunds.peek(REFUNDS).blocked()).isTrue();
        assertThat(account.peek(KEY).blocked()).isFalse();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));
        assertThat(account.peek(KEY).blocked()).isTrue();
    }

    /** The permit of the waiting call was reserved before the block, which another key of it has. */
    @Test
    void retryAfter_ofASharedKey_stopsCallsThatWait() {
        OutboundLimiter outbound = refundsFirst().build();
        refund(outbound);
        refund(outbound);
        OutboundPermit refused = now(outbound);
        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(REFUND);

        answer(refused, 429, Map.of("Retry-After", "30"));

        time.advance(Duration.ofMillis(29_999));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(waiting).isCompleted();
    }

    @Test
    void retryAfter_longerThanTheWait_failsAtOnce() {
        AtomicBoolean failing = new AtomicBoolean();
        RateLimiter failed = answering(
                "5/1s", "blockAsync", failing::get, any -> CompletableFuture.failedFuture(new StoreException("down")));
        OutboundLimiter outbound = outbound(failed)
                .key(uri -> isRefund(uri) ? REFUNDS : null)
                .and(failed, uri -> KEY, uri -> 1)
                .maxWait(Duration.ofSeconds(1))
                .build();
        failing.set(true);

        answer(now(outbound), 429, Map.of("Retry-After", "30"));

        expectWarning("could not be blocked in the store");
        assertThatExceptionOfType(OutboundLimitException.class)
                .isThrownBy(() -> outbound.acquire(REFUND))
                .satisfies(denial -> assertThat(denial.decision().blocked()).isTrue());
    }

    /** A server may send a malformed header in each response. */
    @Test
    void malformedHeader_doesNotHideOtherWarnings() {
        RateLimiter failed = answering(
                "5/1s", "blockAsync", () -> true, any -> CompletableFuture.failedFuture(new StoreException("down")));
        OutboundLimiter outbound = outbound(failed).build();

        answer(now(outbound), 429, Map.of("Retry-After", "soon"));
        answer(now(outbound), 429, Map.of("Retry-After", "30"));

        expectWarning("a header is ignored");
        expectWarning("could not be blocked in the store");
    }

    @Test
    void remaining_isComparedWithTheFirstKey() {
        OutboundLimiter outbound = accountFirst().build();
        OutboundPermit first = refund(outbound);

        answer(first, 200, Map.of("RateLimit", "\"account\";r=4;t=1"));
        assertThat(left(account))
                .as("the refunds have fewer, which says nothing of the account")
                .isEqualTo(4);
        answer(first, 200, Map.of("RateLimit", "\"account\";r=1;t=1"));

        assertThat(left(account)).isEqualTo(1);
        assertThat(left(refunds)).isEqualTo(1);
    }

    @Test
    void remainingZero_anotherLimiterIsUsedUp_blocksTheFirst() {
        OutboundLimiter outbound = accountFirst().build();
        refund(outbound);
        OutboundPermit last = refund(outbound);

        answer(last, 200, Map.of("RateLimit", "\"account\";r=0;t=1"));

        assertThat(account.peek(KEY).blocked()).isTrue();
    }

    @Test
    void store_fails_policiesDecideWithoutAWait() {
        AtomicBoolean failing = new AtomicBoolean();
        RateLimiter failed = answering(
                "5/1s",
                "reserveAsync",
                failing::get,
                any -> CompletableFuture.failedFuture(new StoreException("down")));
        OutboundLimiter outbound =
                outbound(failed).and(failed, uri -> REFUNDS, uri -> 1).build();
        failing.set(true);

        for (int i = 0; i < 5; i++) {
            now(outbound);
        }

        assertThat(outbound.acquireAsync(CALL)).isNotDone();
    }
}
