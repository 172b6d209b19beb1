package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.redis.RedisStore;
import dev.weir.testkit.ManualTimeSource;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The Java snippets of docs/async.md: each is a region of this class. */
final class AsyncPageTest {
    private final Order order = new Order(1);
    private final Gateway gateway = sent -> CompletableFuture.completedFuture(new Receipt(sent));

    @Test
    void callAsync_permitAvailable_runsTheTask() {
        RateLimiter provider = onManualTime("100/1s");
        // region
        CompletableFuture<Receipt> receipt =
                provider.callAsync("psp-1", Duration.ofSeconds(2), () -> gateway.payAsync(order));
        // endregion
        assertThat(receipt.join().order).isEqualTo(order);
    }

    @Test
    void tryAcquireAsync_denied_completesWithTheDecision() {
        RateLimiter provider = onManualTime("100/1s");
        // region
        CompletableFuture<String> answer = provider.tryAcquireAsync("psp-1", Duration.ofSeconds(2))
                .thenApply(decision -> decision.allowed() ? "sent" : "retry in " + decision.retryAfterSeconds() + " s");
        // endregion
        assertThat(answer.join()).isEqualTo("sent");
    }

    @Test
    void tryAcquireAsync_timeout_cancelsTheReservation() {
        RateLimiter provider = onManualTime("100/1s");
        assertThat(provider.tryAcquire("psp-1", 100).allowed()).isTrue();
        // region
        CompletableFuture<Decision> waiting = provider.tryAcquireAsync("psp-1", Duration.ofSeconds(2))
                .orTimeout(500, TimeUnit.MILLISECONDS); // or waiting.cancel(false)
        // endregion
        assertThat(waiting).failsWithin(Duration.ofSeconds(20));
    }

    @Test
    void tryAcquireAsync_subscriptionIsCancelled_cancelsTheReservation() {
        RateLimiter provider = onManualTime("100/1s");
        assertThat(provider.tryAcquire("psp-1", 100).allowed()).isTrue();
        // region
        Mono<Decision> decision = Mono.fromFuture(() -> provider.tryAcquireAsync("psp-1", Duration.ofSeconds(2)));
        // endregion
        assertThat(pending(provider)).isEmpty();
        Disposable waiting = decision.subscribe();
        assertThat(pending(provider)).hasSize(1);
        waiting.dispose();
        assertThat(pending(provider)).isEmpty();
    }

    private static List<KeySnapshot.Run> pending(RateLimiter provider) {
        return provider.inspect("psp-1").limits().get(0).pending();
    }

    @Test
    void reserve_batchSmallerThanReserved_refundsTheRest() throws InterruptedException {
        RateLimiter provider = onManualTime("100/1s");
        // region
        Reservation reservation = provider.reserve("psp-1", 50, Duration.ofSeconds(2));
        if (reservation.await().allowed()) {
            int sent = sendBatch();
            reservation.refund(50 - sent);
        }
        // endregion
        assertThat(provider.peek("psp-1").remaining()).isEqualTo(70);
    }

    @Test
    void executor_given_runsDependentStages() {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            // region
            RateLimiter provider =
                    RateLimiter.builder().limit("100/1s").executor(executor).build();
            // endregion
            assertThat(provider.tryAcquireAsync("psp-1").join().allowed()).isTrue();
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void clientResources_given_areNotShutDown() {
        ClientResources resources = DefaultClientResources.create();
        String uri = "redis://127.0.0.1:1"; // nothing listens there
        // region
        RedisStore store = RedisStore.builder(uri).clientResources(resources).connect();
        RateLimiter limiter = RateLimiter.builder()
                .name("api")
                .limit("100/1s")
                .store(store)
                .executor(Runnable::run)
                .build();
        // endregion
        assertThat(limiter.tryAcquireAsync("key").join().degraded()).isTrue();
        store.close();
        assertThat(resources.eventExecutorGroup().isShuttingDown()).isFalse();
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static int sendBatch() {
        return 30;
    }

    private static RateLimiter onManualTime(String... limits) {
        return RateLimiter.builder()
                .limits(Limits.parse(limits))
                .timeSource(new ManualTimeSource())
                .build();
    }

    private record Order(long number) {}

    private record Receipt(Order order) {}

    /** A payment provider. */
    private interface Gateway {
        CompletableFuture<Receipt> payAsync(Order order);
    }
}
