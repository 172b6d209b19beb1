package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was learned from responses holds though the store fails, or loses it. */
final class OutboundStoreFailuresTest extends OutboundFixture {
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();
    private boolean down;
    private int failures;

    private final RateLimiter.Builder onAStoreThatCanBeDown = RateLimiter.builder()
            .name("psp")
            .limit("9/1s")
            .store((Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                        if (down && !called.getName().equals("timeSource")) {
                            failures++;
                            throw new StoreException("expected by a test");
                        }
                        return called.invoke(store, arguments);
                    }));

    /** With the default failure policy. */
    private final RateLimiter limiter = onAStoreThatCanBeDown.build();

    private final OutboundLimiter outbound = outbound(limiter).build();

    private void refuseFor30Seconds() {
        answer(now(outbound), 429, Map.of("Retry-After", "30"));
    }

    @Test
    void storedBlock_storeFails_stillBlocksThisProcess() {
        refuseFor30Seconds();
        down = true;

        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(CALL);

        time.advance(Duration.ofSeconds(29));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompleted();
    }

    @Test
    void storedBlock_storeFails_blockingCallFailsAtOnce() {
        OutboundLimiter impatient = OutboundLimiter.builder(limiter).build();
        answer(now(impatient), 429, Map.of("Retry-After", "30"));
        down = true;

        assertThatExceptionOfType(OutboundLimitException.class)
                .isThrownBy(() -> impatient.acquire(CALL))
                .satisfies(denial -> {
                    assertThat(denial.decision().blocked()).isTrue();
                    assertThat(denial.decision().retryAfter()).isEqualTo(Duration.ofSeconds(30));
                });
    }

    @Test
    void storedBlock_liftedAfterAFailure_isLiftedHere() {
        refuseFor30Seconds();
        down = true;
        assertThat(outbound.acquireAsync(CALL)).isNotDone();
        down = false;

        limiter.unblock(KEY);

        assertThat(outbound.acquireAsync(CALL)).isCompleted();
    }

    @Test
    void storedBlock_lostByTheStore_isStoredAgain() {
        refuseFor30Seconds();
        limiter.reset(KEY); // as a restart without persistence does
        time.advance(Duration.ofSeconds(1));
        OutboundPermit permit = now(outbound);
        OutboundPermit another = now(outbound);

        answer(permit, 429, Map.of("Retry-After", "29"));
        answer(another, 429, Map.of("Retry-After", "29"));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
        assertThat(limiter.peek(KEY).retryAfter()).isEqualTo(Duration.ofSeconds(29));
    }

    @Test
    void storedBlock_lostByTheStoreAndNothingRemains_isStoredAgain() {
        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=0;t=30"));
        assertThat(limiter.peek(KEY).blocked()).isTrue();
        limiter.reset(KEY);

        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=0;t=30"));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
    }

    @Test
    void storedBlock_lostByTheStoreWhileTheLimiterDenies_isStoredAgain() {
        answer(now(outbound), 200, Map.of("RateLimit", "\"a\";r=0;t=30"));
        limiter.reset(KEY);
        OutboundPermit permit = now(outbound);
        assertThat(limiter.tryAcquire(KEY, 8).allowed()).isTrue();

        answer(permit, 200, Map.of("RateLimit", "\"a\";r=0;t=30"));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
    }

    @Test
    void closed_storeAnswersWithinMaxWait_callGetsItsPermit() {
        OutboundLimiter closed = outbound(closed()).build();
        down = true;
        CompletableFuture<OutboundPermit> waiting = closed.acquireAsync(CALL);
        time.advance(Duration.ofMinutes(1));
        assertThat(waiting).isNotDone();

        down = false;
        time.advance(Duration.ofMillis(800)); // the longest pause

        assertThat(waiting).isCompleted();
        assertThat(failures).as("tries in a minute").isBetween(75, 600);
    }

    @Test
    void closed_storeIsDownForMaxWait_callFails() {
        OutboundLimiter closed =
                OutboundLimiter.builder(closed()).maxWait(Duration.ofSeconds(3)).build();
        down = true;

        CompletableFuture<OutboundPermit> waiting = closed.acquireAsync(CALL);

        time.advance(Duration.ofSeconds(3).minusNanos(1));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        OutboundLimitException.class,
                        denial -> assertThat(denial.decision().degraded()).isTrue());
    }

    @Test
    void closed_noMaxWait_callFailsAtOnce() {
        OutboundLimiter closed = OutboundLimiter.builder(closed()).build();
        down = true;

        assertThatExceptionOfType(OutboundLimitException.class).isThrownBy(() -> closed.acquire(CALL));

        assertThat(failures).isEqualTo(1);
    }

    @Test
    void closed_storeFailsWhenALateResponseArrives_callIsCountedTwice() {
        OutboundPermit late = lateCall();
        down = true;
        answer(late, 200, Map.of());
        time.advance(Duration.ofMillis(100));

        down = false;
        time.advance(Duration.ofMillis(150));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(7);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void closed_storeFailsForAWindowAfterALateResponse_isLogged() {
        OutboundPermit late = lateCall();
        down = true;

        answer(late, 200, Map.of());
        time.advance(Duration.ofMillis(999));
        assertThat(log.lines()).isEmpty();
        time.advance(Duration.ofMillis(1));

        expectWarning("a late call could not be counted twice");
        assertThat(failures).as("tries").isBetween(5, 7);
        assertThat(time.waiting()).isZero();
    }

    private OutboundPermit lateCall() {
        OutboundPermit permit =
                now(outbound(closed()).countTwiceAfter(Duration.ofMillis(4)).build());
        time.advance(Duration.ofMillis(5));
        return permit;
    }

    @Test
    void local_moreThanTheLimitEverGrants_failsAtOnce() {
        OutboundLimiter local = outbound(limiter).permits(uri -> 10).build();
        down = true;

        assertThat(local.acquireAsync(CALL)).isCompletedExceptionally();

        assertThat(failures).isEqualTo(1);
    }

    @Test
    void pause_cancelledWhileItStarts_leavesNoTimer() {
        AtomicReference<@Nullable CompletableFuture<OutboundPermit>> call = new AtomicReference<>();
        OutboundLimiter closed = outbound(down(Runnable::run, () -> {
                    CompletableFuture<OutboundPermit> started = call.get();
                    if (started != null) {
                        started.cancel(false);
                    }
                }))
                .build();
        call.set(closed.acquireAsync(CALL));
        assertThat(time.waiting()).isEqualTo(1);

        time.advance(Duration.ofMillis(200)); // the first pause

        assertThat(call.get()).isCancelled();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void pause_executorRejectsItsEnd_callFails() {
        Executor full = task -> {
            throw new RejectedExecutionException("expected by a test");
        };
        CompletableFuture<OutboundPermit> waiting =
                outbound(down(full, () -> {})).build().acquireAsync(CALL);

        time.advance(Duration.ofMillis(200));

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void pause_timerThrowsAnError_callFails() {
        AtomicBoolean first = new AtomicBoolean(true);
        CompletableFuture<OutboundPermit> waiting = outbound(down(Runnable::run, () -> {
                    if (!first.getAndSet(false)) {
                        throw new OutOfMemoryError("expected by a test");
                    }
                }))
                .build()
                .acquireAsync(CALL);

        time.advance(Duration.ofMillis(200));

        assertThat(waiting).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void granted_clockThrowsAnError_callFailsAndItsPermitIsCancelled() {
        CompletableFuture<OutboundPermit> granted = withAnErrorAfterTheGrant().acquireAsync(CALL);

        assertThat(granted).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(OutOfMemoryError.class);
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
    }

    @Test
    void granted_clockThrowsAnErrorToABlockingCall_itsPermitIsCancelled() {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> withAnErrorAfterTheGrant().acquire(CALL));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(9);
    }

    private OutboundLimiter withAnErrorAfterTheGrant() {
        AtomicBoolean broken = new AtomicBoolean();
        Runnable onLook = () -> {
            if (broken.getAndSet(false)) {
                throw new OutOfMemoryError("expected by a test");
            }
        };
        TimeSource source = source(onLook, Runnable::run, () -> {});
        Store granting = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                    broken.compareAndSet(false, called.getName().startsWith("reserve"));
                    return called.getName().equals("timeSource") ? source : called.invoke(store, arguments);
                });
        return outbound(RateLimiter.builder()
                        .name("psp")
                        .limit("9/1s")
                        .store(granting)
                        .build())
                .build();
    }

    /** On a machine with two processors, the JDK starts a thread for each task of the common pool. */
    @Test
    void pause_ends_noThreadIsStarted() {
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        RateLimiter down = down(TimeSource.system(), () -> threads.add(Thread.currentThread()));
        OutboundLimiter closed =
                OutboundLimiter.builder(down).maxWait(Duration.ofSeconds(1)).build();

        assertThat(closed.acquireAsync(CALL)).failsWithin(Await.TIMEOUT);

        assertThat(threads.poll()).as("the first try").isSameAs(Thread.currentThread());
        assertThat(threads).isNotEmpty().allMatch(ForkJoinWorkerThread.class::isInstance);
    }

    /** Returns a limiter on a store that is down, with the time of this test. */
    private RateLimiter down(Executor executor, Runnable onPause) {
        return down(source(() -> {}, executor, onPause), () -> {});
    }

    private TimeSource source(Runnable onLook, Executor executor, Runnable onPause) {
        return new TimeSource() {
            @Override
            public long nanos() {
                onLook.run();
                return time.nanos();
            }

            @Override
            public CompletableFuture<Void> after(long nanos) {
                onPause.run();
                return time.after(nanos);
            }

            @Override
            public Executor executor() {
                return executor;
            }
        };
    }

    private RateLimiter down(TimeSource source, Runnable onTry) {
        Store failing = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals("reserveAsync")) {
                        onTry.run();
                        throw new StoreException("expected by a test");
                    }
                    return called.getName().equals("timeSource") ? source : called.invoke(store, arguments);
                });
        return RateLimiter.builder()
                .name("psp")
                .limit("9/1s")
                .store(failing)
                .whenStoreFails(FailurePolicy.closed())
                .build();
    }

    private RateLimiter closed() {
        return onAStoreThatCanBeDown.whenStoreFails(FailurePolicy.closed()).build();
    }
}
