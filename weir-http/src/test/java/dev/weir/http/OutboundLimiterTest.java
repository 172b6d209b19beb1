package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.LimiterListener;
import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundLimiterTest extends OutboundFixture {
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

    @ParameterizedTest
    @ValueSource(
            strings = {"http://my_psp/", "http://My_PSP:8080/", "http://user:secret@my_psp:/", "http://my_psp:9090"})
    void acquire_hostWithUnderscore_isLimitedByItsHost(String uri) throws Exception {
        RateLimiter limiter = limiter("1/10s");

        assertThat(OutboundLimiter.builder(limiter).build().acquire(URI.create(uri)))
                .isNotNull();

        assertThat(limiter.peek("my_psp").allowed()).isFalse();
    }

    @Test
    void acquire_hostWithDotAtItsEnd_isTheSameHost() throws Exception {
        OutboundLimiter outbound = OutboundLimiter.builder(limiter("1/10s")).build();

        assertThat(outbound.acquire(URI.create("http://psp.example./"))).isNotNull();
        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> outbound.acquire(URI.create("http://psp.example/")));
    }

    @Test
    void acquire_withoutHost_throws() {
        OutboundLimiter outbound = OutboundLimiter.builder(limiter("1/10s")).build();

        assertThatIllegalArgumentException().isThrownBy(() -> outbound.acquire(URI.create("/pay")));
    }

    @Test
    void acquireAsync_withoutHostOrWithoutKey_throws() {
        OutboundLimiter.Builder builder = OutboundLimiter.builder(limiter("1/10s"));
        OutboundLimiter byHost = builder.build();
        OutboundLimiter withoutKeys = builder.key(uri -> "").build();
        URI tooLong = URI.create("http://" + "a".repeat(1_025));

        assertThatIllegalArgumentException().isThrownBy(() -> byHost.acquireAsync(URI.create("/pay")));
        assertThatIllegalArgumentException().isThrownBy(() -> byHost.acquireAsync(tooLong));
        assertThatIllegalArgumentException().isThrownBy(() -> withoutKeys.acquireAsync(CALL));
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

    /** The age of a permit is counted from when it is due, so a call that waits keeps its reservation. */
    @Test
    void acquireAsync_waits_reservesOnce() {
        AtomicInteger decisions = new AtomicInteger();
        RateLimiter limiter = RateLimiter.builder()
                .timeSource(time)
                .limit("1/10s")
                .listener(new LimiterListener() {
                    @Override
                    public void decided(String name, String key, long permits, Decision decision) {
                        decisions.incrementAndGet();
                    }
                })
                .build();
        OutboundLimiter outbound = outbound(limiter).build();
        now(outbound);

        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(CALL);
        time.advance(Duration.ofSeconds(10));

        assertThat(waiting).isCompleted();
        assertThat(decisions).hasValue(2);
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
        CompletableFuture<OutboundPermit> third = outbound.acquireAsync(CALL);
        assertThat(pending(limiter)).isEqualTo(1);
        third.complete(null);
        assertThat(pending(limiter)).isZero();
    }

    @Test
    void acquire_interruptedThread_releasesThePermit() {
        RateLimiter limiter = limiter("1/10s");
        OutboundLimiter outbound = outbound(limiter).build();
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> outbound.acquire(CALL));

        assertThat(Thread.interrupted()).isFalse();
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(1);
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
                .limitsByKey(limitsAfter(pause, times, limit))
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

    /** A store that caches denials counts their time from when it received them: here, 300 ms too late. */
    @Test
    void permit_tooOldAfterACachedDenial_isNotUsed() {
        Duration[] pause = {Duration.ZERO}; // until the next answer arrives
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        RateLimiter limiter = RateLimiter.builder()
                .name("psp")
                .limit("1/1s margin=50ms")
                .store((Store) Proxy.newProxyInstance(
                        Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                            Object answer = called.invoke(store, arguments);
                            if (answer instanceof CompletableFuture<?> future
                                    && future.join() instanceof StoreReservation reservation) {
                                time.advance(pause[0]);
                                pause[0] = Duration.ZERO;
                                return reservation.decision().allowed() ? answer : cached(reservation.decision());
                            }
                            return answer;
                        }))
                .build();
        OutboundLimiter outbound = OutboundLimiter.builder(limiter).build();
        now(outbound);
        assertThat(outbound.acquireAsync(CALL)).isCompletedExceptionally();
        time.advance(Duration.ofSeconds(2));
        pause[0] = Duration.ofMillis(305);

        now(outbound);

        assertThat(limiter.inspect(KEY).limits().get(0).runs())
                .last()
                .extracting(KeySnapshot.Run::at)
                .isEqualTo(Instant.ofEpochSecond(0, time.nanos()));
    }

    private static CompletableFuture<StoreReservation> cached(Decision denial) {
        Decision cached = Decision.denied(
                denial.limit(),
                denial.remaining(),
                denial.retryAfterNanos(),
                denial.resetAfterNanos(),
                denial.timeNanos() - Duration.ofMillis(300).toNanos());
        return CompletableFuture.completedFuture(StoreReservation.of(cached, List.of()));
    }

    @Test
    void permit_alwaysTooOld_failsWhenTheWaitIsOver() {
        int[] pauses = {Integer.MAX_VALUE};
        RateLimiter limiter = pausing(Duration.ofSeconds(1), pauses, "9/1h margin=50ms");
        OutboundLimiter outbound =
                OutboundLimiter.builder(limiter).maxWait(Duration.ofSeconds(10)).build();

        CompletableFuture<OutboundPermit> permit = outbound.acquireAsync(CALL);

        advanceUntilEnded(permit);
        assertThat(permit).isCompletedExceptionally();
        expectWarning("older than useWithin");
        pauses[0] = 0;
        assertThat(limiter.peek(KEY).remaining()).as("all are released").isEqualTo(9);
    }

    private void advanceUntilEnded(CompletableFuture<OutboundPermit> permit) {
        for (int millis = 0; millis < 60_000 && !permit.isDone(); millis++) {
            time.advance(Duration.ofMillis(1));
            LockSupport.parkNanos(1_000_000); // for the threads that try again
        }
        assertThat(permit).isDone();
    }

    /** Many calls that try without a pause can keep the store, or the machine, so busy that none ever gets a permit in time. */
    @Test
    void permits_tooOldAgainAndAgain_areRequestedEverMoreSeldom() {
        int[] answers = {0};
        RateLimiter limiter = answering("9/1h margin=50ms", "reserveAsync", () -> true, store -> {
            answers[0]++;
            return store.reserveAsync(List.of(Request.of("psp", Limits.parse("9/1h margin=50ms"), KEY, 1)), 0)
                    .whenComplete((granted, failure) -> time.advance(Duration.ofMillis(100)));
        });
        CompletableFuture<OutboundPermit> permit = OutboundLimiter.builder(limiter)
                .maxWait(Duration.ofSeconds(10))
                .build()
                .acquireAsync(CALL);

        advanceUntilEnded(permit);

        expectWarning("older than useWithin");
        assertThat(answers[0]).as("of the 100 that fit into the wait").isBetween(5, 40);
    }

    @Test
    void acquire_permitTooOld_acquiresAnotherOnTheCallersThread() throws Exception {
        RateLimiter limiter = pausing(Duration.ofMillis(26), new int[] {1}, "3/1s margin=50ms");
        OutboundLimiter outbound = outbound(limiter).build();

        assertThat(outbound.acquire(CALL)).isNotNull();

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
        assertThat(outbound.latePermits()).isEqualTo(1);
    }

    @Test
    void acquire_permitsAlwaysTooOld_throwsWhenTheWaitIsOver() {
        int[] pauses = {Integer.MAX_VALUE};
        RateLimiter limiter = pausing(Duration.ofSeconds(1), pauses, "9/1h margin=50ms");
        OutboundLimiter outbound = OutboundLimiter.builder(limiter).build();

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> outbound.acquire(CALL))
                .withMessage("limiter 'default': permits were older than useWithin when they arrived");

        expectWarning("older than useWithin");
        pauses[0] = 0;
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
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
    void builder_longestDurations_saturate() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);

        OutboundPermit permit = now(OutboundLimiter.builder(limiter("1/1s"))
                .maxWait(longest)
                .useWithin(longest)
                .countTwiceAfter(longest)
                .maxBlock(longest)
                .build());

        answer(permit, 429, Map.of("Retry-After", "1"));
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
