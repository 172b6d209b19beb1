package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Methods without {@code try} succeed or throw. */
class AcquireTest {
    private final ManualTimeSource time = new ManualTimeSource();

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(time).build();
    }

    @Test
    void acquire_resultIgnored_deniedCallerDoesNotPass() throws Exception {
        RateLimiter limiter = limiter("2/1h");
        int passed = 0;
        for (int i = 0; i < 10; i++) {
            try {
                limiter.acquire("key", Duration.ZERO);
                passed++;
            } catch (RateLimitedException denied) {
                assertThat(denied.limiter()).isEqualTo("default");
                assertThat(denied.decision().retryAfter()).isEqualTo(Duration.ofHours(1));
                assertThat(denied).hasMessage("limiter 'default': denied by sliding-log 2/1h, retry after PT1H");
            }
        }
        assertThat(passed).isEqualTo(2);
    }

    @Test
    void acquire_blockedKeyOrTooMany_reportsWhy() {
        RateLimiter limiter = limiter("2/1h");
        assertThatThrownBy(() -> limiter.acquire("key", 3, Duration.ofDays(1)))
                .hasMessage("limiter 'default': more permits requested than sliding-log 2/1h ever grants");
        limiter.block("key", Duration.ofMinutes(1));
        assertThatThrownBy(() -> limiter.acquire("key", Duration.ZERO))
                .hasMessage("limiter 'default': key is blocked, retry after PT1M");
    }

    /** Not wrapped into an exception, which an application would handle. */
    @Test
    void storeThrowsAnError_callerGetsIt() {
        Store failing = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (store, method, arguments) -> switch (method.getName()) {
                    case "timeSource" -> TimeSource.system();
                    case "check" -> null;
                    default -> throw new OutOfMemoryError("of the store");
                });
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1/1s").store(failing).build();

        assertThatThrownBy(() -> limiter.tryAcquire("key", Duration.ofSeconds(1)))
                .isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> limiter.acquire("key", Duration.ZERO)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void acquire_storeIsFull_saysSo() {
        MemoryStore store = MemoryStore.builder().maxKeys(1).build();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("1/1s").store(store).build();
        assertThat(limiter.tryAcquire("other").allowed()).isTrue();

        assertThatThrownBy(() -> limiter.acquire("key", Duration.ZERO))
                .hasMessageContaining("denied by sliding-log 1/1s (the store failed or is full), retry after ");
    }

    @Test
    void call_inTime_runsTheTaskAndKeepsThePermitWhenItFails() throws Exception {
        RateLimiter limiter = limiter("2/1s");

        assertThat(limiter.call("key", Duration.ZERO, () -> "paid")).isEqualTo("paid");
        assertThatThrownBy(() -> limiter.call("key", Duration.ZERO, () -> {
                    throw new IllegalStateException("gateway down");
                }))
                .hasMessage("gateway down");
        assertThat(limiter.peek("key").remaining()).isZero();
    }

    @Test
    void call_tooLate_throwsTheDecisionWithoutAStackTrace() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");

        assertThatThrownBy(() -> limiter.call("key", Duration.ZERO, () -> "paid"))
                .isInstanceOfSatisfying(RateLimitedException.class, denied -> {
                    assertThat(denied.decision().retryAfter()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(denied.getStackTrace()).isEmpty();
                })
                .hasMessage("limiter 'default': denied by sliding-log 1/1s, retry after PT1S");
    }

    @Test
    void run_interrupted_cancelsAndStaysInterrupted() {
        RateLimiter limiter = limiter("1/1h");
        limiter.run("key", Duration.ZERO, () -> {});
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> limiter.run("key", Duration.ofDays(1), () -> {}))
                    .isInstanceOf(CancellationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        time.advance(Duration.ofHours(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void callAsync_inTimeTooLateAndCancelled() {
        RateLimiter limiter = limiter("1/1s");
        assertThat(limiter.callAsync("key", Duration.ZERO, () -> CompletableFuture.completedFuture("paid")))
                .isCompletedWithValue("paid");
        assertThatThrownBy(
                        () -> limiter.callAsync("key", Duration.ZERO, () -> CompletableFuture.completedFuture("paid"))
                                .join())
                .hasCauseInstanceOf(RateLimitedException.class);

        AtomicReference<String> started = new AtomicReference<>();
        CompletableFuture<String> waiting = limiter.callAsync("key", Duration.ofSeconds(5), () -> {
            started.set("second");
            return CompletableFuture.completedFuture("paid");
        });
        waiting.cancel(false);
        time.advance(Duration.ofSeconds(1));
        assertThat(started).hasValue(null);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void callAsync_taskReturnsNull_failsWithTheReason() {
        CompletableFuture<String> call = limiter("1/1s").callAsync("key", Duration.ZERO, () -> null);

        assertThatThrownBy(call::join).hasRootCauseMessage("task must not return null");
    }
}
