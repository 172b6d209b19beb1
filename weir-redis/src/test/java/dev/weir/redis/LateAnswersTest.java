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

/** So many answers come late that the store has given the server up: what they have booked is still given back. */
final class LateAnswersTest {
    private static final Limits LIMITS = Limits.parse("100/1m");
    private static final Duration TIMEOUT = Duration.ofMillis(500); // long enough for a busy machine

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
    void answersHeldBack_areGivenBack(Path binary) {
        try (RedisServer server = RedisServer.start(binary);
                Proxy proxy = new Proxy(server);
                RedisStore store =
                        RedisStore.builder(proxy.uri()).timeout(TIMEOUT).connect();
                RedisStore direct =
                        RedisStore.builder(server.uri()).timeout(Await.PATIENCE).connect()) {
            RateLimiter limiter = limiter(store);
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(99);

            proxy.hold();
            assertDegraded(limiter, 10);
            assertThat(remaining(direct)).as("some were booked").isLessThan(99);
            proxy.release();

            Await.until("what came late to be given back", () -> remaining(direct) == 99);
            Await.until("recovery", () -> !limiter.peek("key").degraded());
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(98);
        }
    }

    /** The server runs what it was sent while it was paused; nobody waits for the answers now. */
    @ParameterizedTest
    @MethodSource("binaries")
    void serverPaused_whatItRunsAfterwards_isGivenBack(Path binary) {
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store =
                        RedisStore.builder(server.uri()).timeout(TIMEOUT).connect();
                RedisStore direct =
                        RedisStore.builder(server.uri()).timeout(Await.PATIENCE).connect()) {
            RateLimiter limiter = limiter(store);
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(99);
            long before = server.calls("evalsha");

            server.pause();
            assertDegraded(limiter, 10);
            server.resume();

            Await.until("recovery", () -> !limiter.peek("key").degraded());
            Await.until("what came late to be given back", () -> remaining(direct) == 99);
            assertThat(server.calls("evalsha") - before).as("some were sent").isGreaterThan(1);
        }
    }
}
