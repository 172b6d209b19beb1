package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundLimiterTest {
    private static final URI CALL = URI.create("https://PSP.example:8443/pay");
    private static final String KEY = "psp.example";

    private final ManualTimeSource time = new ManualTimeSource();

    private RateLimiter limiter(String... limits) {
        RateLimiter.Builder builder = RateLimiter.builder().timeSource(time);
        List.of(limits).forEach(builder::limit);
        return builder.build();
    }

    private static OutboundLimiter.Builder outbound(RateLimiter limiter) {
        return OutboundLimiter.builder(limiter).maxWait(Duration.ofMinutes(10));
    }

    private static long pending(RateLimiter limiter) {
        return limiter.inspect(KEY).limits().get(0).pending().size();
    }

    private static void answer(OutboundPermit permit, int status, Map<String, String> headers) {
        permit.received(status, name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of());
    }

    private static OutboundPermit now(OutboundLimiter outbound) {
        CompletableFuture<OutboundPermit> permit = outbound.acquireAsync(CALL);
        assertThat(permit).isCompleted();
        return permit.join();
    }

    @Test
    void acquire_byDefault_limitsTheHostAndDoesNotWait() throws Exception {
        RateLimiter limiter = limiter("1/10s");
        OutboundLimiter outbound = OutboundLimiter.builder(limiter).build();

        assertThat(outbound.acquire(CALL)).isNotNull();

        assertThat(limiter.peek(KEY).allowed()).isFalse();
        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> outbound.acquire(CALL))
                .satisfies(denial -> assertThat(denial.decision().retryAfter()).hasSeconds(10));
        assertThat(outbound.acquire(URI.create("https://other.example/"))).isNotNull();
    }

    @Test
    void acquire_hostWithUnderscore_isLimitedByItsAuthority() throws Exception {
        RateLimiter limiter = limiter("1/10s");

        assertThat(OutboundLimiter.builder(limiter).build().acquire(URI.create("http://my_psp/")))
                .isNotNull();

        assertThat(limiter.peek("my_psp").allowed()).isFalse();
    }

    @Test
    void acquire_withoutHost_throws() {
        OutboundLimiter outbound = OutboundLimiter.builder(limiter("1/10s")).build();

        assertThatIllegalArgumentException().isThrownBy(() -> outbound.acquire(URI.create("/pay")));
    }

    @Test
    void acquire_keyNull_isNotLimited() throws Exception {
        OutboundLimiter outbound =
                OutboundLimiter.builder(limiter("1/10s")).key(uri -> null).build();

        for (int i = 0; i < 3; i++) {
            assertThat(outbound.acquire(CALL).cancel()).isFalse();
        }
    }

    @Test
    void acquireAsync_overTheLimit_waitsInOrder() {
        RateLimiter limiter = limiter("1/10s");
        OutboundLimiter outbound = outbound(limiter).build();
        now(outbound);

        CompletableFuture<OutboundPermit> first = outbound.acquireAsync(CALL);
        CompletableFuture<OutboundPermit> second = outbound.acquireAsync(CALL);

        assertThat(pending(limiter)).isEqualTo(2);
        time.advance(Duration.ofSeconds(10));
        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        time.advance(Duration.ofSeconds(10));
        assertThat(second).isCompleted();
    }

    @Test
    void acquireAsync_waitTooLong_failsAtOnce() {
        OutboundLimiter outbound = OutboundLimiter.builder(limiter("1/10s"))
                .maxWait(Duration.ofSeconds(9))
                .build();
        now(outbound);

        assertThat(outbound.acquireAsync(CALL))
                .isCompletedExceptionally()
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableThat()
                .withCauseInstanceOf(RateLimitedException.class);
    }

    @Test
    void acquireAsync_cancelled_releasesItsReservationOnly() {
        RateLimiter limiter = limiter("1/10s");
        OutboundLimiter outbound = outbound(limiter).build();
        now(outbound);
        CompletableFuture<OutboundPermit> first = outbound.acquireAsync(CALL);
        CompletableFuture<OutboundPermit> second = outbound.acquireAsync(CALL);

        second.cancel(false);

        assertThat(pending(limiter)).isEqualTo(1);
        first.orTimeout(1, TimeUnit.NANOSECONDS);
        assertThatExceptionOfType(CompletionException.class).isThrownBy(first::join);
        Await.until(() -> pending(limiter) == 0);
    }

    @Test
    void cancel_callNotSent_releasesThePermit() {
        RateLimiter limiter = limiter("1/10s");
        OutboundPermit permit = now(outbound(limiter).build());

        assertThat(permit.cancel()).isTrue();
        assertThat(permit.cancel()).isFalse();
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(1);
    }

    /** A limiter whose store answers after the process has been paused: the time passes while the request is decided. */
    private RateLimiter pausing(Duration pause, int[] times, String limit) {
        return RateLimiter.builder()
                .timeSource(time)
                .limitsByKey(key -> {
                    if (times[0]-- > 0) {
                        var unused = CompletableFuture.runAsync(() -> time.advance(pause));
                        unused.join();
                    }
                    return Limits.parse(limit);
                })
                .build();
    }

    @ParameterizedTest
    @ValueSource(longs = {26, 900, 5_000})
    void permit_olderThanHalfTheMargin_isCancelledAndAcquiredAgain(long pausedMillis) {
        RateLimiter limiter = pausing(Duration.ofMillis(pausedMillis), new int[] {1}, "3/1s margin=50ms");

        OutboundPermit permit = now(outbound(limiter).build());

        assertThat(permit).isNotNull();
        assertThat(limiter.peek(KEY).remaining())
                .as("the first permit was released, the second is in use")
                .isEqualTo(2);
    }

    @Test
    void permit_asOldAsHalfTheMargin_isUsed() {
        int[] pauses = {1};
        RateLimiter limiter = pausing(Duration.ofMillis(25), pauses, "3/1s margin=50ms");
        long start = time.nanos();

        now(outbound(limiter).build());

        assertThat(limiter.inspect(KEY).limits().get(0).runs()).hasSize(1);
        assertThat(time.nanos() - start).isEqualTo(25_000_000);
    }

    @Test
    void permit_alwaysTooOld_failsWhenTheWaitIsOver() {
        int[] pauses = {Integer.MAX_VALUE};
        RateLimiter limiter = pausing(Duration.ofSeconds(1), pauses, "9/1h margin=50ms");
        OutboundLimiter outbound =
                OutboundLimiter.builder(limiter).maxWait(Duration.ofSeconds(10)).build();

        CompletableFuture<OutboundPermit> permit = outbound.acquireAsync(CALL);

        assertThat(permit).isCompletedExceptionally();
        pauses[0] = 0;
        assertThat(limiter.peek(KEY).remaining()).as("all are released").isEqualTo(9);
    }

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

    @Test
    void rateLimitHeaders_switchedOff_areIgnored() {
        RateLimiter limiter = limiter("10/10s");
        OutboundLimiter outbound = outbound(limiter).rateLimitHeaders(false).build();

        answer(now(outbound), 429, Map.of("RateLimit", "\"a\";r=0;t=10", "Retry-After", "0"));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
    }

    @Test
    void acquire_permitTooOld_acquiresAnotherOnTheCallersThread() throws Exception {
        RateLimiter limiter = pausing(Duration.ofMillis(26), new int[] {1}, "3/1s margin=50ms");

        assertThat(outbound(limiter).build().acquire(CALL)).isNotNull();

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
    }

    @Test
    void acquire_permitsAlwaysTooOld_throwsWhenTheWaitIsOver() {
        int[] pauses = {Integer.MAX_VALUE};
        RateLimiter limiter = pausing(Duration.ofSeconds(1), pauses, "9/1h margin=50ms");
        OutboundLimiter outbound = OutboundLimiter.builder(limiter).build();

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> outbound.acquire(CALL));

        pauses[0] = 0;
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
    }

    /** A limiter whose store does not take blocks. */
    private RateLimiter withoutBlocks(String limit) {
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        Store failing = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> method.getName().equals("blockAsync")
                        ? CompletableFuture.failedFuture(new StoreException("expected by a test"))
                        : method.invoke(store, arguments));
        return RateLimiter.builder().name("psp").limit(limit).store(failing).build();
    }

    @Test
    void retryAfter_storeFails_blocksThisProcess() throws Exception {
        OutboundLimiter outbound = outbound(withoutBlocks("9/1s")).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));

        CompletableFuture<OutboundPermit> async = outbound.acquireAsync(CALL);
        CompletableFuture<OutboundPermit> blocking = CompletableFuture.supplyAsync(() -> {
            try {
                return outbound.acquire(CALL);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        Await.until(() -> time.waiting() == 2);
        time.advance(Duration.ofSeconds(29));
        assertThat(async).isNotDone();
        assertThat(blocking).isNotDone();
        time.advance(Duration.ofSeconds(1));

        assertThat(async).isCompleted();
        assertThat(blocking.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void retryAfter_storeFails_longerThanMaxWaitFailsAtOnce() {
        OutboundLimiter outbound =
                OutboundLimiter.builder(withoutBlocks("9/1s")).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> outbound.acquire(CALL))
                .satisfies(denial -> assertThat(denial.decision().blocked()).isTrue());
        assertThat(outbound.acquireAsync(CALL)).isCompletedExceptionally();
    }

    @Test
    void retryAfter_storeFails_cancelledWaitEnds() {
        OutboundLimiter outbound = outbound(withoutBlocks("9/1s")).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));
        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(CALL);

        waiting.cancel(false);

        assertThat(time.waiting()).isZero();
    }

    @Test
    void countTwiceAfter_lateResponse_consumesAnotherPermit() {
        RateLimiter limiter = limiter("5/1s margin=4ms");
        OutboundLimiter outbound =
                outbound(limiter).countTwiceAfter(Duration.ofMillis(4)).build();
        OutboundPermit late = now(outbound);
        OutboundPermit inTime = now(outbound);

        time.advance(Duration.ofMillis(4));
        answer(inTime, 200, Map.of());
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(3);
        time.advance(Duration.ofNanos(1));
        answer(late, 200, Map.of());

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
    }

    @Test
    void countTwiceAfter_noPermitLeft_reservesTheNext() {
        RateLimiter limiter = limiter("1/1s margin=4ms");
        OutboundLimiter outbound =
                outbound(limiter).countTwiceAfter(Duration.ofMillis(4)).build();
        OutboundPermit late = now(outbound);
        time.advance(Duration.ofMillis(10));

        answer(late, 200, Map.of());

        assertThat(limiter.peek(KEY).retryAfter())
                .as("the second one counts from 1.004 s on")
                .hasMillis(1_998);
    }

    @Test
    void builder_negativeDuration_throws() {
        OutboundLimiter.Builder builder = OutboundLimiter.builder(limiter("1/1s"));
        Duration negative = Duration.ofNanos(-1);

        assertThatIllegalArgumentException().isThrownBy(() -> builder.maxWait(negative));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.maxBlock(negative));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.useWithin(Duration.ZERO));
    }
}
