package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.OtherTimers;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Operations of limiters whose store fails or replies late, but for what their policies decide. */
class StoreFailureTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ManualTimeSource clock = new ManualTimeSource();
    private final DistantStore store = new DistantStore(clock);

    private RateLimiter.Builder limiter(String limit) {
        return RateLimiter.builder().name("test").limit(limit).store(store).executor(Runnable::run);
    }

    @Test
    void resetAndBlock_storeFails_throw() {
        RateLimiter limiter = limiter("1/1s").build();
        store.down = true;
        assertThatThrownBy(() -> limiter.reset("key")).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> limiter.block("key", Duration.ofSeconds(1))).isInstanceOf(StoreException.class);
    }

    @Test
    void reservation_cancelledBeforeTheReply_isRefunded() {
        RateLimiter limiter = limiter("10/1h").build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Reservation> one = limiter.reserveAsync("key", 3, Duration.ZERO);
        CompletableFuture<Reservation> all = RateLimiter.reserveAllAsync(Duration.ZERO, limiter.request("key", 3));
        one.cancel(false);
        all.completeExceptionally(new TimeoutException());
        store.arrival.complete(null);

        assertThat(limiter.peek("key").remaining()).isEqualTo(10);
    }

    @Test
    void acquireAsync_cancelledOnTheWay_refundsWhenTheReplyArrives() {
        RateLimiter limiter = limiter("1/1s").build();
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofSeconds(1));
        assertThat(due).isNotDone();

        due.cancel(false);
        store.arrival.complete(null);

        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void acquireAsync_cancelledWhileItWaits_refunds() {
        RateLimiter limiter = limiter("1/1s").build();
        limiter.tryAcquire("key");
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofSeconds(1));
        store.arrival.complete(null);
        assertThat(due).isNotDone();

        due.cancel(false);

        clock.advanceNanos(SECOND);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void acquireAsync_answerComesLater_completesInOrder() {
        RateLimiter limiter = limiter("1/1s").build();
        limiter.tryAcquire("key");
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofSeconds(1));
        store.arrival.complete(null);

        clock.advanceNanos(SECOND);

        assertThat(due).isCompletedWithValueMatching(Decision::allowed);
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void acquireAsync_clockCannotWait_failsAndRefunds() {
        store.timeSource = new OtherTimers(clock, nanos -> {
            throw new IllegalStateException("stopped");
        });
        RateLimiter limiter = limiter("1/1s").build();
        limiter.tryAcquire("key");
        store.arrival = new CompletableFuture<>();
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofSeconds(1));

        store.arrival.complete(null);

        assertThatThrownBy(() -> due.get(60, TimeUnit.SECONDS)).hasRootCauseMessage("stopped");
        clock.advanceNanos(SECOND);
        assertThat(limiter.tryAcquire("key").allowed()).as("refunded").isTrue();
    }
}
