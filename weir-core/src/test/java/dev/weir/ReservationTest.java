package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Reservations that are refunded at unexpected times: no permit stays reserved, none is refunded twice. */
class ReservationTest {
    private final ManualTimeSource clock = new ManualTimeSource();

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(clock).build();
    }

    private static long drain(RateLimiter limiter, String key, int tries) {
        long admitted = 0;
        for (int i = 0; i < tries; i++) {
            admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void tokenBucket_secondRefundAfterTheSameArrivalCameAgain_isForfeited() {
        RateLimiter limiter = limiter("gcra 10/10s burst=5");
        Reservation r = limiter.reserve("k", 5, Duration.ZERO);
        r.refund(4);
        clock.advance(Duration.ofSeconds(3));
        assertThat(limiter.tryAcquire("k", 2).allowed()).isTrue();
        r.refund(1); // long expired
        assertThat(2 + drain(limiter, "k", 10)).isLessThanOrEqualTo(5); // burst at one instant
    }

    @Test
    void reserve_clockFailsAfterTheDecision_refunds() {
        Thread caller = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE); // readings until it fails
        TimeSource failsOnce = () -> {
            if (Thread.currentThread() == caller && left.decrementAndGet() == 0) {
                throw new IllegalStateException("stopped");
            }
            return clock.nanos();
        };
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1m").timeSource(failsOnce).build();
        limiter.tryAcquire("k");
        left.set(3); // the start of the wait, the decision, and the start of the reservation
        assertThatThrownBy(() -> limiter.reserve("k", Duration.ofHours(1)))
                .hasMessage("stopped")
                .satisfies(failure -> assertThat(failure.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Reservation.class.getName())));
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
    }

    @Test
    void whenDue_someTimeAfterTheDecision_waitsForTheRestOnly() {
        RateLimiter limiter = limiter("1/1m");
        limiter.tryAcquire("k");
        Reservation reservation = limiter.reserve("k", Duration.ofHours(1));
        clock.advance(Duration.ofSeconds(40));

        CompletableFuture<Decision> due = reservation.whenDue();
        clock.advance(Duration.ofSeconds(19));
        assertThat(due).isNotDone();
        clock.advance(Duration.ofSeconds(1));

        assertThat(due).isCompleted();
    }

    private TimeSource waiting(CompletableFuture<Void> turn) {
        return new OtherTimers(clock, nanos -> turn);
    }

    @Test
    void whenDue_clockFailsWhileWaiting_refunds() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(waiting(turn))
                .executor(Runnable::run)
                .build();
        limiter.tryAcquire("k");
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("k", Duration.ofHours(1));
        turn.completeExceptionally(new IllegalStateException("timer failed"));
        assertThat(due.isCompletedExceptionally()).isTrue();
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
    }

    @Test
    void whenDue_clockHasNoThreadForItsTimer_refunds() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(new OtherTimers(clock, nanos -> {
                    throw new OutOfMemoryError("unable to create native thread");
                }))
                .build();
        limiter.tryAcquire("k");
        Reservation reservation = limiter.reserve("k", 1, Duration.ofHours(1));
        assertThat(reservation.whenDue())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(OutOfMemoryError.class);
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
    }

    /** A time source whose timers after the first do not start. */
    private TimeSource withOneTimer(Supplier<CompletableFuture<Void>> others) {
        AtomicInteger timers = new AtomicInteger();
        return new OtherTimers(clock, nanos -> timers.getAndIncrement() == 0 ? clock.after(nanos) : others.get());
    }

    @Test
    void tryAcquireAsync_noThreadForItsTimer_releasesItsOwnPermitOnly() {
        checkReleasesItsOwnPermitOnly(() -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
    }

    @Test
    void tryAcquireAsync_timeSourceWithoutATimer_releasesItsPermit() {
        checkReleasesItsOwnPermitOnly(() -> null);
    }

    private void checkReleasesItsOwnPermitOnly(Supplier<CompletableFuture<Void>> secondTimer) {
        RateLimiter limiter = RateLimiter.builder()
                .limit("2/1m")
                .timeSource(withOneTimer(secondTimer))
                .executor(Runnable::run)
                .build();
        limiter.tryAcquire("k", 2);
        CompletableFuture<Decision> first = limiter.tryAcquireAsync("k", Duration.ofHours(1));
        CompletableFuture<Decision> second = limiter.tryAcquireAsync("k", Duration.ofHours(1));
        assertThat(second).isCompletedExceptionally();
        clock.advance(Duration.ofMinutes(1));
        assertThat(first).isCompleted();
        assertThat(drain(limiter, "k", 3)).isEqualTo(1);
    }

    @Test
    void callAsync_cancelledWhileItsPermitIsGranted_runsTheTask() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(clock)
                .executor(Runnable::run)
                .build();
        limiter.tryAcquire("k");
        CompletableFuture<String> task = new CompletableFuture<>();
        CompletableFuture<String> call = limiter.callAsync("k", Duration.ofHours(1), () -> {
            task.complete("ran");
            return task;
        });
        CompletableFuture<String> granted =
                call.whenComplete((value, cancelled) -> clock.advance(Duration.ofMinutes(1))); // before it refunds
        call.cancel(false);
        assertThat(granted).isCompletedExceptionally();
        assertThat(task).as("a permit that is granted is used").isCompletedWithValue("ran");
    }

    @Test
    void await_clockHasNoTimer_throwsIllegalStateAndRefunds() {
        TimeSource source = new OtherTimers(clock, nanos -> {
            throw new UnsupportedOperationException("no timer");
        });
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1m").timeSource(source).build();
        limiter.tryAcquire("k");
        assertThatThrownBy(() -> limiter.acquire("k", Duration.ofHours(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("no timer");
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
    }

    @Test
    void await_clockCancelsItsTimer_refunds() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        turn.cancel(false);
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1m").timeSource(waiting(turn)).build();
        limiter.tryAcquire("k");
        assertThatThrownBy(() -> limiter.acquire("k", Duration.ofHours(1))).isInstanceOf(CancellationException.class);
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
    }

    @Test
    void cancelled_betweenTimerAndExecutor_theFutureIsNotAllowed() {
        Queue<Runnable> queue = new ArrayDeque<>();
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(clock)
                .executor(queue::add)
                .build();
        limiter.tryAcquire("k");
        Reservation r = limiter.reserve("k", 1, Duration.ofHours(1));
        CompletableFuture<Decision> due = r.whenDue();
        clock.advance(Duration.ofMinutes(1));
        assertThat(r.cancel()).isTrue();
        assertThat(limiter.tryAcquire("k").allowed()).isTrue();
        queue.forEach(Runnable::run);
        assertThat(due.isCompletedExceptionally()).isTrue();
    }

    @Test
    void whenDue_executorRejectsAndListenerThrows_completes() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(clock)
                .executor(task -> {
                    throw new RejectedExecutionException();
                })
                .listener(new LimiterListener() {
                    @Override
                    public void refunded(String limiter, String key, long permits, long timeNanos) {
                        throw new IllegalStateException("boom");
                    }
                })
                .build();
        limiter.tryAcquire("k");
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("k", Duration.ofHours(1));
        clock.advance(Duration.ofMinutes(1));
        assertThat(due.isDone()).isTrue();
    }

    @Test
    void interrupted_listenerThrows_isStillAnInterrupt() throws Exception {
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(clock)
                .listener(new LimiterListener() {
                    @Override
                    public void refunded(String limiter, String key, long permits, long timeNanos) {
                        throw new IllegalStateException("boom");
                    }
                })
                .build();
        limiter.tryAcquire("k");
        Reservation r = limiter.reserve("k", 1, Duration.ofHours(1));
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(r::await).isInstanceOf(InterruptedException.class);
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void cancelled_withoutAWait_isNotAllowed() {
        RateLimiter limiter = limiter("1/1h");
        Reservation cancelled = limiter.reserve("key", 1, Duration.ZERO);
        cancelled.cancel();

        assertThatThrownBy(cancelled::await).isInstanceOf(CancellationException.class);
        assertThat(cancelled.whenDue()).isCompletedExceptionally();
    }

    @Test
    void cancelled_whileWaitedFor_theFutureIsNotAllowed() {
        RateLimiter limiter = limiter("1/1m");
        limiter.tryAcquire("key");
        Reservation reservation = limiter.reserve("key", 1, Duration.ofHours(1));
        CompletableFuture<Decision> due = reservation.whenDue();
        assertThat(reservation.cancel()).isTrue();
        assertThat(clock.waiting()).isZero();
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        due.handle((decision, failure) -> decision).join();
        assertThat(due.isCompletedExceptionally()).isTrue();
    }

    @Test
    void acquireAsync_completedWithSomethingElse_refunds() {
        RateLimiter limiter = limiter("1/1m");
        Decision used = limiter.tryAcquire("key");
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofHours(1));
        assertThat(due.complete(used)).isTrue(); // as completeOnTimeout does
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }
}
