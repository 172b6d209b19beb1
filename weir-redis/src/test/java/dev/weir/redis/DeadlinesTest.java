package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Each request fails once at its deadline, on a thread that may run callbacks of users. */
final class DeadlinesTest extends ProxiedServerTest {
    private static final Limits LIMITS = Limits.parse("10/1h");
    private static final int CALLS = 500;

    private static Request request(String key) {
        return Request.of("test", LIMITS, key, 1);
    }

    /** On two processors, the default executor of futures starts a thread for each task. */
    @Test
    void fail_ofManyFutures_runsOnTheCommonPool() throws Exception {
        CompletableFuture<Void> future = new CompletableFuture<>();
        CompletableFuture<Thread> thread = future.handle((none, failure) -> Thread.currentThread());

        new Timer().fail(future, new StoreException("too late"));

        assertThat(thread.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        ForkJoinWorkerThread.class,
                        worker -> assertThat(worker.getPool()).isSameAs(ForkJoinPool.commonPool()));
    }

    @Test
    void overdue_poolIsBusy_eachIsSubmittedOnce() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        List<CompletableFuture<StoreReservation>> calls = new ArrayList<>();
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(Duration.ofMillis(200)).connect()) {
            connectAndHold(store);
            occupyCommonPool(release);
            for (int i = 0; i < CALLS; i++) {
                calls.add(store.reserveAsync(List.of(request("key " + i % 10)), 0));
            }
            calls.removeIf(CompletableFuture::isDone); // on a busy machine, the last ones failed at once
            int waiting = calls.size();
            Await.until("each call is overdue", () -> ForkJoinPool.commonPool().getQueuedSubmissionCount() >= waiting);
            assertThatThrownBy(() -> store.decide("test", LIMITS, "later", 1)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store.decide("test", LIMITS, "last", 1)).isInstanceOf(StoreException.class);
            assertThat(ForkJoinPool.commonPool().getQueuedSubmissionCount()).isLessThan(waiting + 100);
        } finally {
            release.countDown();
        }
        for (CompletableFuture<StoreReservation> call : calls) {
            assertThat(call.handle((reservation, failure) -> failure).get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(StoreException.class);
        }
    }

    /** Three keys, because a request is sent in any case if no more wait than are in flight. */
    @Test
    void unanswered_afterTheTimeout_laterRequestsAreSent() {
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(Duration.ofSeconds(2)).connect()) {
            connectAndHold(store);
            List<CompletableFuture<StoreReservation>> lost = List.of(
                    store.reserveAsync(List.of(request("one")), 0),
                    store.reserveAsync(List.of(request("two")), 0),
                    store.reserveAsync(List.of(request("three")), 0));
            assertThatThrownBy(() -> CompletableFuture.allOf(lost.toArray(CompletableFuture[]::new))
                            .join())
                    .hasCauseInstanceOf(StoreException.class);

            assertThatThrownBy(() -> store.decide("test", LIMITS, "later", 1)).isInstanceOf(StoreException.class);

            assertThat(proxy.sent("{test:later}")).isEqualTo(1);
        }
    }

    private void connectAndHold(RedisStore store) {
        Await.until(
                "a connection",
                () -> store.peekAsync(request("key"))
                        .handle((seen, failure) -> failure == null)
                        .get());
        proxy.hold();
    }

    /** Occupies all threads of the common pool until the latch opens. */
    private static void occupyCommonPool(CountDownLatch release) throws InterruptedException {
        int threads = ForkJoinPool.getCommonPoolParallelism();
        CountDownLatch occupied = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            ForkJoinPool.commonPool().execute(() -> {
                occupied.countDown();
                try {
                    release.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        occupied.await();
    }
}
