package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.OtherTimers;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads on which limiters answer if their store replies late. */
class LateStoreTest {
    private final ManualTimeSource clock = new ManualTimeSource();
    private final DistantStore store = new DistantStore(clock);

    private RateLimiter.Builder limiter(String limit) {
        return RateLimiter.builder().name("test").limit(limit).store(store);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquireAsync_executorTakesNoMore_refunds(boolean withAnError) {
        RateLimiter limiter = limiter("1/1s")
                .executor(task -> {
                    if (withAnError) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    throw new RejectedExecutionException("full");
                })
                .build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ZERO);
        store.arrival.complete(null);

        assertThat(due).isCompletedExceptionally();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void tryAcquireAsync_answerOnAnIoThread_completesElsewhere() throws Exception {
        RateLimiter limiter =
                RateLimiter.builder().name("io").limit("1/1s").store(store).build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<String> ranOn = limiter.tryAcquireAsync("key")
                .thenApply(decision -> Thread.currentThread().getName());
        Thread io = new Thread(() -> store.arrival.complete(null), "io");
        io.start();

        assertThat(ranOn.get(60, TimeUnit.SECONDS)).isNotEqualTo("io");
        io.join();
    }

    @Test
    void peek_storeFailsOnAnIoThread_listenersRunElsewhere() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        RateLimiter limiter = limiter("1/1s")
                .executor(ForkJoinPool.commonPool())
                .listener(new LimiterListener() {
                    @Override
                    public void storeFailed(String limiter, String key, StoreException why) {
                        threads.add(Thread.currentThread().getName());
                    }
                })
                .build();
        store.arrival = new CompletableFuture<>();
        store.down = true;
        CompletableFuture<Decision> peeked = limiter.peekAsync("key");
        CompletableFuture<Decision> joined = CompletableFuture.supplyAsync(() -> limiter.peek("key"));
        Thread io = new Thread(() -> store.arrival.complete(null), "io");
        io.start();

        assertThat(peeked.get(60, TimeUnit.SECONDS).degraded()).isTrue();
        assertThat(joined.get(60, TimeUnit.SECONDS).degraded()).isTrue();
        assertThat(threads).isNotEmpty().doesNotContain("io");
        io.join();
    }

    @Test
    void acquireAsync_executorSwallowsAnError_completes() {
        store.timeSource = new OtherTimers(clock, nanos -> {
            throw new LinkageError("no timer");
        });
        List<Runnable> pool = new ArrayList<>();
        RateLimiter limiter = limiter("1/1s").executor(pool::add).build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofSeconds(1));
        store.arrival.complete(null);
        pool.forEach(Runnable::run);

        assertThat(due).isCompletedExceptionally();
    }

    /** Attempts are counted, so a refund would not hide a request that the store decided. */
    @Test
    void acquireAsync_cancelledBeforeTheAnswer_isNotDecided() {
        RateLimiter limiter = limiter("1/1h count=attempts").build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofSeconds(1));
        assertThat(due.cancel(false)).isTrue();
        store.arrival.complete(null);

        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void acquire_interruptedBeforeTheAnswer_throwsAndTakesNothing() throws Exception {
        RateLimiter limiter = limiter("1/1h count=attempts").build();
        store.arrival = new CompletableFuture<>();
        FutureTask<Decision> call = new FutureTask<>(() -> limiter.tryAcquire("key", Duration.ofHours(1)));
        Thread caller = new Thread(call);
        caller.start();
        caller.interrupt();

        assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        store.arrival.complete(null);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void reserveAsync_cancelledAfterTheAnswer_refunds() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        RateLimiter limiter = limiter("1/1h").executor(tasks::add).build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Reservation> unwanted = limiter.reserveAsync("key", Duration.ZERO);
        store.arrival.complete(null);
        assertThat(unwanted.cancel(false)).isTrue();

        tasks.remove().run();

        assertThat(limiter.peek("key").allowed()).isTrue();
    }

    @Test
    void acquire_answeredAtTheInterrupt_refunds() {
        DistantStore answering = new DistantStore(clock) {
            @Override
            public CompletableFuture<StoreReservation> reserveAsync(List<Request> requests, long maxWaitNanos) {
                Thread.currentThread().interrupt();
                return new CompletableFuture<>() {
                    @Override
                    public boolean cancel(boolean mayInterruptIfRunning) {
                        complete(reserve(requests, maxWaitNanos)); // a moment before
                        return false;
                    }
                };
            }
        };
        RateLimiter limiter = RateLimiter.builder()
                .name("test")
                .limit("1/1h")
                .store(answering)
                .build();

        assertThatThrownBy(() -> limiter.tryAcquire("key", Duration.ofSeconds(1)))
                .isInstanceOf(InterruptedException.class);
        assertThat(limiter.peek("key").allowed()).isTrue();
    }

    /** A wait of 700 ms from 200 ms on ends before a second has passed, although the failure policy decides later. */
    @Test
    void acquireAsync_storeFailsLate_policyWaitsForTheRestOnly() {
        RateLimiter limiter = limiter("1/1s").executor(Runnable::run).build();
        store.down = true;
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        clock.advance(Duration.ofMillis(200));
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> late = limiter.tryAcquireAsync("key", Duration.ofMillis(700));
        CompletableFuture<Decision> inTime = limiter.tryAcquireAsync("key", Duration.ofMillis(800));
        clock.advance(Duration.ofMillis(200));
        store.arrival.complete(null);
        clock.advance(Duration.ofMillis(600));

        assertThat(late.join().allowed()).isFalse();
        assertThat(inTime.join().allowed()).isTrue();
    }

    /** The same for a caller that waited for the store. */
    @Test
    void reserve_storeFailsLate_policyWaitsForTheRestOnly() {
        DistantStore slow = new DistantStore(clock) {
            @Override
            public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
                clock.advance(Duration.ofMillis(200));
                return super.reserve(requests, maxWaitNanos);
            }
        };
        slow.down = true;
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1/1s").store(slow).build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();

        assertThat(limiter.reserve("key", Duration.ofMillis(999)).decision().allowed())
                .isFalse();
        assertThat(limiter.reserve("key", Duration.ofMillis(800)).decision().waitNanos())
                .isEqualTo(600_000_000);
    }
}
