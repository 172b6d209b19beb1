package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Late replies open the circuit; their grants are refunded all the same. */
final class LateAnswersTest {
    private static final Limits LIMITS = Limits.parse("100/1h");
    private static final Duration TIMEOUT = Duration.ofSeconds(1); // long enough for a busy machine

    static Stream<Path> binaries() {
        return RedisServer.binaries().stream();
    }

    private static RateLimiter limiter(RedisStore store) {
        return RateLimiter.builder()
                .name("test")
                .limits(LIMITS)
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .build();
    }

    private static long remaining(RedisStore store) {
        return Blocking.peek(store, Request.of("test", LIMITS, "key", 1)).remaining();
    }

    private static void assertDegraded(RateLimiter limiter, int calls) {
        for (int i = 0; i < calls; i++) {
            Decision decision = limiter.tryAcquire("key");
            assertThat(decision.allowed()).isFalse();
            assertThat(decision.degraded()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void repliesHeldBack_areRefunded(Path binary) {
        try (RedisServer server = RedisServer.start(binary);
                Proxy proxy = new Proxy(server);
                RedisStore store =
                        RedisStore.builder(proxy.uri()).timeout(TIMEOUT).connect();
                RedisStore direct =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect()) {
            RateLimiter limiter = limiter(store);
            Await.until("a connection", () -> !limiter.peek("key").degraded());
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(99);

            proxy.hold();
            assertDegraded(limiter, 10);
            assertThat(remaining(direct)).as("remaining after late grants").isLessThan(99);
            proxy.release();

            Await.until("a refund of the late grants", () -> remaining(direct) == 99);
            Await.until("recovery", () -> !limiter.peek("key").degraded());
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(98);
        }
    }

    /** After a pause, the server runs the requests that it was sent meanwhile; they have timed out by then. */
    @ParameterizedTest
    @MethodSource("binaries")
    void serverPaused_requestsRunAfterwards_areRefunded(Path binary) {
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store =
                        RedisStore.builder(server.uri()).timeout(TIMEOUT).connect();
                RedisStore direct =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect()) {
            RateLimiter limiter = limiter(store);
            Await.until("a connection", () -> !limiter.peek("key").degraded());
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(99);
            long before = server.calls("evalsha");

            server.pause();
            assertDegraded(limiter, 10);
            server.resume();

            Await.until("recovery", () -> !limiter.peek("key").degraded());
            Await.until("a refund of the late grants", () -> remaining(direct) == 99);
            assertThat(server.calls("evalsha") - before).as("scripts run").isGreaterThan(1);
        }
    }
}
