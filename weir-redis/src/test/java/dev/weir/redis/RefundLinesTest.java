package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Refunds of many reservations that are cancelled at once must not delay decisions of the server. */
final class RefundLinesTest {
    private static final int IN_FLIGHT = 32;
    private static final Duration YEAR = Duration.ofDays(365);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final CircuitBreaker server = circuit();
    private final RefundLines lines = new RefundLines(100);
    private final List<CompletableFuture<Void>> sent = new ArrayList<>();

    private CircuitBreaker circuit() {
        return new CircuitBreaker(scheduler, CompletableFuture::new, new EventNotifier(List.of()), new Timer(), 1);
    }

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    private CompletableFuture<Void> send() {
        sent.add(new CompletableFuture<>());
        return sent.get(sent.size() - 1);
    }

    private List<CompletableFuture<Void>> add(int number) {
        List<CompletableFuture<Void>> refunds = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            refunds.add(lines.add(server, this::send));
        }
        return refunds;
    }

    @Test
    void add_many_eachReplySendsTheNext_alsoAfterFailures() {
        List<CompletableFuture<Void>> refunds = add(IN_FLIGHT + 2);
        assertThat(sent).hasSize(IN_FLIGHT);

        sent.get(5).complete(null);
        assertThat(sent).hasSize(IN_FLIGHT + 1);
        assertThat(refunds.get(5)).isCompleted();

        sent.get(0).completeExceptionally(new StoreException("lost"));
        assertThat(sent).hasSize(IN_FLIGHT + 2);
        assertThat(refunds.get(0)).isCompletedExceptionally();

        sent.forEach(each -> each.complete(null));
        assertThat(refunds).allMatch(CompletableFuture::isDone);
    }

    @Test
    void add_afterOthersEnded_fillsTheWindowAgain() {
        add(3);
        sent.get(1).complete(null);
        add(IN_FLIGHT);
        assertThat(sent).hasSize(1 + IN_FLIGHT);
    }

    @Test
    void add_toAnotherServer_doesNotWait() {
        add(IN_FLIGHT + 1);
        var unused = lines.add(circuit(), this::send);
        assertThat(sent).hasSize(IN_FLIGHT + 1);
    }

    @Test
    void add_moreThanMayWait_isAnOverload() {
        List<CompletableFuture<Void>> refunds = add(IN_FLIGHT + 101);
        assertThat(refunds.subList(0, IN_FLIGHT + 100)).noneMatch(CompletableFuture::isDone);
        assertThat(refunds.get(IN_FLIGHT + 100)).isCompletedExceptionally();
    }

    /** A StackOverflowError may occur while the cancelling thread sends. */
    @Test
    void add_sendingThrowsErrors_laterOnesAreSent() {
        for (int i = 0; i < IN_FLIGHT; i++) {
            CompletableFuture<Void> refund = lines.add(server, () -> {
                throw new StackOverflowError();
            });
            assertThat(refund).isCompletedExceptionally();
        }
        add(1);
        assertThat(sent).hasSize(1);
    }

    @Test
    void waiting_connectionLost_allFailWithoutRecursion() {
        RefundLines many = new RefundLines(100_000);
        List<CompletableFuture<Void>> refunds = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            refunds.add(many.add(server, () -> sent.size() < IN_FLIGHT ? send() : failed()));
        }
        sent.get(0).completeExceptionally(new StoreException("lost"));
        assertThat(refunds.subList(IN_FLIGHT, refunds.size())).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** Else the next request of its caller may overtake it. Each thread has one refund at a time, so there is always room. */
    @Test
    void add_byManyThreads_isSentWhenItReturns() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> unsent = threads.invokeAll(Collections.nCopies(4, this::countUnsent));
            for (Future<Integer> each : unsent) {
                assertThat(each.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns how many of 20,000 refunds were not sent when they had been added. */
    private int countUnsent() {
        int unsent = 0;
        for (int i = 0; i < 20_000; i++) {
            AtomicBoolean isSent = new AtomicBoolean();
            var unused = lines.add(server, () -> {
                long start = System.nanoTime();
                while (System.nanoTime() - start < 5_000) {
                    Thread.onSpinWait();
                }
                isSent.set(true);
                return CompletableFuture.completedFuture(null);
            });
            unsent += isSent.get() ? 0 : 1;
        }
        return unsent;
    }

    private static CompletableFuture<Void> failed() {
        return CompletableFuture.failedFuture(new StoreException("not connected"));
    }

    /** The server is paused, so no refund ends; if all were sent at once, those beyond the bound in flight would be lost. */
    @Test
    void reservations_moreAreCancelledThanMayBeInFlight_noneIsLost() {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.builder(redis.uri())
                        .timeout(Await.TIMEOUT)
                        .maxInFlight(40)
                        .connect()) {
            Request request = Request.of("test", Limits.parse("1/1h"), "cancelled", 1);
            List<StoreReservation> reservations = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                reservations.add(store.reserve(List.of(request), YEAR.toNanos()));
            }
            redis.pause();
            reservations.forEach(each -> each.cancel(0));
            redis.resume();

            Await.until("all refunds", () -> Blocking.peek(store, request).allowed());
        }
    }
}
