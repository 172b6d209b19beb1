package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that is killed or hangs, and recovers. */
final class KilledServerTest {
    private static final int CALLS = 1_000;

    static Stream<Path> binaries() {
        return RedisServer.binaries().stream();
    }

    private static RedisStore.Builder builder(RedisServer server) {
        return RedisStore.builder(server.uri()).timeout(Duration.ofSeconds(10));
    }

    private static RateLimiter limiter(RedisStore store, String limits, FailurePolicy policy) {
        return RateLimiter.builder()
                .name("test")
                .limits(Limits.parse(limits))
                .store(store)
                .whenStoreFails(policy)
                .build();
    }

    private static int admitted(RateLimiter limiter, String key, int calls) {
        int admitted = 0;
        for (int i = 0; i < calls; i++) {
            admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
        }
        return admitted;
    }

    /** Asserts that calls did not wait for the server, which would take at least a second each. */
    private static void assertDoNotWait(long start) {
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(CALLS / 10));
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void killed_policyDecides_untilRecovery(Path binary) {
        List<String> events = new CopyOnWriteArrayList<>();
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store =
                        builder(server).listener(new StoreEvents(events)).connect()) {
            RateLimiter closed = limiter(store, "5/1h", FailurePolicy.closed());
            RateLimiter open = limiter(store, "5/1h", FailurePolicy.open());
            assertThat(admitted(closed, "key", 10)).isEqualTo(5);

            server.kill();
            for (int i = 0; i < 50; i++) {
                Decision denied = closed.tryAcquire("down" + i);
                assertThat(denied.allowed()).isFalse();
                assertThat(denied.degraded()).isTrue();
                assertThat(open.tryAcquire("down" + i).allowed()).isTrue();
            }
            long start = System.nanoTime();
            admitted(closed, "fast", CALLS);
            assertDoNotWait(start);

            server.restart();
            Await.until("recovery", () -> !closed.tryAcquire("probe").degraded());

            assertThat(admitted(closed, "other", 10)).isEqualTo(5);
            Await.until("the events", () -> events.size() == 2);
            assertThat(events.get(0)).startsWith("down");
            assertThat(events.get(1)).isEqualTo("up");
        }
    }

    @Test
    void down_connectDoesNotThrow_andServesWhenItIsUp() {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (RedisStore store = builder(server).connect()) {
                RateLimiter limiter = limiter(store, "5/1h", FailurePolicy.closed());
                assertThat(limiter.tryAcquire("key").degraded()).isTrue();

                server.restart();
                Await.until("recovery", () -> !limiter.tryAcquire("probe").degraded());
                assertThat(admitted(limiter, "key", 10)).isEqualTo(5);
            }
        }
    }

    @Test
    void pausedUnderLoad_recovers_andNoWindowIsOverfull() {
        String limit = "50/500ms resolution=1us";
        try (RedisServer server = RedisServer.start();
                RedisStore store =
                        builder(server).timeout(Duration.ofSeconds(1)).connect();
                Hammer hammer = new Hammer(store, limit, 4, "a", "b")) {
            hammer.awaitPermits(150);

            server.pause();
            hammer.awaitFailures(4);
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                assertThatThrownBy(() -> store.decide("hammer", Limits.parse(limit), "new", 1))
                        .isInstanceOf(StoreException.class);
            }
            assertDoNotWait(start);
            server.resume();

            hammer.awaitPermits(300);
            hammer.stop();
            hammer.trace().assertHolds(Limit.parse(limit));
        }
    }
}
