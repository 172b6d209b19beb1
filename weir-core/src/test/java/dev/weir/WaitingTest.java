package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Waiting by reservation: first come, first served, refunded exactly, denied at once if the wait would be too long. */
class WaitingTest {
    private static final Duration LONG = Duration.ofDays(1);

    private final ManualTimeSource clock = new ManualTimeSource();

    private RateLimiter limiter(String... limits) {
        return RateLimiter.builder()
                .limits(Limits.parse(limits))
                .timeSource(clock)
                .build();
    }

    @Test
    void reserve_overTheLimit_startsWhenEntriesExpire() {
        RateLimiter limiter = limiter("2/1s");
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waits.add(limiter.reserve("key", 1, LONG).decision().waitTime());
            clock.advance(Duration.ofMillis(100));
        }

        assertThat(waits).extracting(Duration::toMillis).containsExactly(0L, 0L, 800L, 800L, 1600L, 1600L);
    }

    @Test
    void largeRequestThatWaits_isNotDelayedByLaterSmallOnes() {
        RateLimiter limiter = limiter("10/1s");
        limiter.tryAcquire("key", 4);
        clock.advance(Duration.ofMillis(500));
        limiter.tryAcquire("key", 3);
        Reservation large = limiter.reserve("key", 9, LONG);
        long due = clock.nanos() + large.decision().waitNanos();
        assertThat(large.decision().waitTime()).isEqualTo(Duration.ofSeconds(1));

        List<TraceEvent> events = new ArrayList<>();
        events.add(new TraceEvent(due, "key", 9, Kind.ALLOWED));
        for (int i = 0; i < 1000; i++) {
            clock.advance(Duration.ofMillis(2));
            if (limiter.tryAcquire("key").allowed()) {
                events.add(new TraceEvent(clock.nanos(), "key", 1, Kind.ALLOWED));
            }
        }

        assertThat(TraceChecker.check(Limit.parse("10/1s"), events).holds()).isTrue();
        assertThat(events).hasSizeGreaterThan(2); // small requests are admitted where they delay no other
    }

    @Test
    void waitLongerThanAllowed_isRefusedAtOnceAndReservesNothing() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");

        Decision refused = limiter.reserve("key", 1, Duration.ofMillis(999)).decision();

        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(limiter.reserve("key", 1, Duration.ofSeconds(1)).decision().waitTime())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void thousandWaitersWithRandomCancels_leaveTheFullLimitAndDelayNoOther() {
        RateLimiter limiter = limiter("100/1s");
        Limit limit = Limit.parse("100/1s");
        SplittableRandom random = new SplittableRandom(42);
        List<Reservation> waiters = new ArrayList<>();
        Map<Reservation, Long> due = new HashMap<>();
        Map<Reservation, Long> permitsOf = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            clock.advanceNanos(random.nextInt(3_000_000));
            long permits = 1L + random.nextInt(3);
            Reservation reservation = limiter.reserve("key", permits, LONG);
            assertThat(reservation.decision().allowed()).isTrue();
            permitsOf.put(reservation, permits);
            due.put(reservation, clock.nanos() + reservation.decision().waitNanos());
            waiters.add(reservation);
            if (random.nextInt(3) == 0) {
                Reservation cancelled = waiters.remove(random.nextInt(waiters.size()));
                assertThat(cancelled.cancel()).isTrue();
                assertThat(cancelled.cancel()).isFalse();
                due.remove(cancelled);
            }
        }
        List<TraceEvent> kept = new ArrayList<>();
        for (Reservation waiter : waiters) {
            kept.add(new TraceEvent(due.get(waiter), "key", permitsOf.get(waiter), Kind.ALLOWED));
        }
        assertThat(TraceChecker.check(limit, kept).holds()).isTrue();

        waiters.forEach(Reservation::cancel);
        clock.advance(Duration.ofSeconds(2));
        assertThat(limiter.peek("key").remaining()).isEqualTo(100);
        assertThat(limiter.tryAcquire("key", 100).allowed()).isTrue();
    }

    @Test
    void waiter_whenSomeoneBeforeCancels_keepsItsInstant() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        Reservation first = limiter.reserve("key", 1, LONG);
        Reservation second = limiter.reserve("key", 1, LONG);
        first.cancel();

        assertThat(second.decision().waitTime()).isEqualTo(Duration.ofSeconds(2));
        assertThat(limiter.reserve("key", 1, LONG).decision().waitTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void moreThanTheMostPendingInstants_isRefused() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        for (int i = 0; i < 1024; i++) {
            assertThat(limiter.reserve("key", 1, LONG).decision().allowed()).isTrue();
        }

        assertThat(limiter.reserve("key", 1, LONG).decision().allowed()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.reserve("key", 1, LONG).decision().allowed()).isTrue();
    }

    @Test
    void acquire_whenDue_returns() throws Exception {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        FutureTask<Decision> waiting = new FutureTask<>(() -> limiter.acquire("key", LONG));
        Thread thread = new Thread(waiting);
        thread.start();
        untilWaiting(1);
        clock.advance(Duration.ofMillis(999));
        assertThat(waiting.isDone()).isFalse();

        clock.advance(Duration.ofMillis(1));

        assertThat(waiting.get(60, TimeUnit.SECONDS).waitTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void acquire_interrupted_refundsExactly() throws Exception {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            try {
                limiter.acquire("key", LONG);
            } catch (InterruptedException expected) {
                interrupted.set(true);
            }
        });
        thread.start();
        untilWaiting(1);
        thread.interrupt();
        thread.join(60_000);

        assertThat(interrupted).isTrue();
        assertThat(clock.waiting()).isZero();
        assertThat(limiter.reserve("key", 1, LONG).decision().waitTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void acquire_interruptedBefore_reservesNothing() {
        RateLimiter limiter = limiter("1/1s");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> limiter.acquire("key", LONG)).isInstanceOf(InterruptedException.class);
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    void acquireAsync_whenDue_completesWithoutAThread() throws Exception {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        CompletableFuture<Decision> future = limiter.tryAcquireAsync("key", LONG);
        assertThat(future).isNotDone();

        clock.advance(Duration.ofSeconds(1));

        assertThat(future.get(60, TimeUnit.SECONDS).allowed()).isTrue();
    }

    @Test
    void advance_completesAsynchronousWaits() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        List<Long> instants = new ArrayList<>();
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waits.add(limiter.tryAcquireAsync("key", Duration.ofMinutes(1))
                    .thenAccept(decision -> instants.add(clock.nanos())));
        }
        long start = clock.nanos();
        clock.advance(Duration.ofSeconds(10));
        assertThat(waits).allMatch(CompletableFuture::isDone);
        assertThat(instants).containsExactly(start + 1_000_000_000, start + 2_000_000_000, start + 3_000_000_000L);
    }

    @Test
    void acquireAsync_cancelled_refundsExactly() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        CompletableFuture<Decision> first = limiter.tryAcquireAsync("key", LONG);
        CompletableFuture<Decision> second = limiter.tryAcquireAsync("key", LONG);
        first.cancel(true);

        assertThat(clock.waiting()).isEqualTo(1);
        assertThat(second).isNotDone();
        assertThat(limiter.reserve("key", 1, LONG).decision().waitTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void acquireAsync_timedOut_refundsExactly() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        CompletableFuture<Decision> future =
                limiter.tryAcquireAsync("key", LONG).orTimeout(1, TimeUnit.MILLISECONDS);

        assertThatThrownBy(() -> future.get(60, TimeUnit.SECONDS)).hasRootCauseInstanceOf(Exception.class);
        while (clock.waiting() > 0) { // a wait that has timed out is refunded after its future completes
            Thread.onSpinWait();
        }
        assertThat(limiter.reserve("key", 1, LONG).decision().waitTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void tryAcquireAll_interrupted_refundsEveryRequest() throws Exception {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("a");
        clock.advance(Duration.ofMillis(500)); // so that b is held now as well as when a is due
        FutureTask<Decision> waiting = new FutureTask<>(
                () -> RateLimiter.tryAcquireAll(LONG, limiter.request("a", 1), limiter.request("b", 1)));
        Thread thread = new Thread(waiting);
        thread.start();
        untilWaiting(1);
        assertThat(limiter.peek("b").remaining()).isZero();

        thread.interrupt();

        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(limiter.peek("b").remaining()).isEqualTo(1);
    }

    @Test
    void tryAcquireAllAsync_cancelled_refundsEveryRequest() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("a");
        clock.advance(Duration.ofMillis(500)); // so that b is held now as well as when a is due
        CompletableFuture<Decision> waiting =
                RateLimiter.tryAcquireAllAsync(LONG, limiter.request("a", 1), limiter.request("b", 1));
        assertThat(limiter.peek("b").remaining()).isZero();

        waiting.cancel(true);

        assertThat(clock.waiting()).isZero();
        assertThat(limiter.peek("b").remaining()).isEqualTo(1);
    }

    @Test
    void acquireAsync_refused_completesAtOnceWithTheDenial() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");

        CompletableFuture<Decision> future = limiter.tryAcquireAsync("key", Duration.ofMillis(10));

        assertThat(future).isCompletedWithValueMatching(decision -> !decision.allowed());
    }

    @Test
    void waitForcedByAnotherLimitBeyondItsOwnFit_isRefusedByGcra() {
        RateLimiter limiter = limiter("1/1s", "gcra 10/1s");
        limiter.tryAcquire("key");

        assertThat(limiter.reserve("key", 1, LONG).decision().allowed()).isFalse();
    }

    @Test
    void refundInPart_keepsTheRestReserved() {
        for (String limit : List.of("10/1s", "sliding-window 10/1s", "fixed-window 10/1s", "token-bucket 10/1s")) {
            RateLimiter limiter = limiter(limit);
            Reservation most = limiter.reserve("key", 8, Duration.ZERO);
            assertThat(most.refund(5)).isTrue();
            assertThat(limiter.peek("key").remaining()).as(limit).isEqualTo(7);
        }
    }

    @Test
    void refundInPart_whileWaiting_keepsTheStartAndCancelRefundsTheRest() throws Exception {
        RateLimiter limiter = limiter("10/1s");
        limiter.tryAcquire("key", 10);
        Reservation batch = limiter.reserve("key", 8, LONG);
        assertThat(batch.refund(3)).isTrue();
        CompletableFuture<Decision> due = batch.whenDue();
        assertThat(limiter.reserve("key", 5, LONG).decision().waitTime()).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(due.get(60, TimeUnit.SECONDS).allowed()).isTrue();
        assertThat(limiter.peek("key").remaining()).isZero();

        assertThatThrownBy(() -> batch.refund(6)).hasMessage("permits to refund must be at most 5, was 6");
        assertThat(batch.refund(1)).isTrue();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
        assertThat(batch.cancel()).isTrue();
        assertThat(batch.refund(1)).isFalse();
        assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    }

    @Test
    void cancel_afterReset_changesNothing() {
        for (String limit : List.of("3/1s", "fixed-window 3/1s", "token-bucket 3/1s")) {
            RateLimiter limiter = limiter(limit);
            Reservation before = limiter.reserve("key", 2, Duration.ZERO);
            limiter.reset("key");
            limiter.tryAcquire("key", 2);
            before.cancel();
            assertThat(limiter.peek("key").remaining()).as(limit).isEqualTo(1);
        }
    }

    @Test
    void acquire_onTheSystemClock_waitsAboutAsLongAsItMust() throws Exception {
        RateLimiter limiter = RateLimiter.of(Limit.parse("1/50ms"));
        limiter.tryAcquire("key");
        long start = System.nanoTime();

        Decision decision = limiter.acquire("key", LONG);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(decision.waitNanos());
        assertThat(decision.waitNanos()).isBetween(0L, 50_050_000L); // 0 if this thread was paused before
    }

    private void untilWaiting(int waiters) {
        while (clock.waiting() < waiters) {
            Thread.onSpinWait();
        }
    }

    @Test
    void settledWaiters_ofACoarseLog_areMergedIntoTicks() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("sliding-log 1000000/1h resolution=1m")
                .limit("gcra 7/1s")
                .timeSource(clock)
                .build();
        for (int i = 0; i < 40_000; i++) {
            Decision d = limiter.reserve("key", 1, Duration.ofSeconds(10)).decision();
            clock.advanceNanos(100_000_007);
            assertThat(d.allowed() || d.retryAfterNanos() > 0).isTrue();
        }

        int ticks = 60 + 1;
        KeySnapshot.LimitSnapshot log = limiter.inspect("key", 10_000).limits().get(0);
        assertThat(log.truncated()).isFalse();
        assertThat(log.runs()).hasSizeLessThanOrEqualTo(2 * ticks + 2 * 1024);
    }
}
