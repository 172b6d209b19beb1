package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The start of a store. */
final class StartTest {
    @Test
    void connect_decidesOnceAndStoresNothing() {
        try (RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create(server.uri());
                RedisStore store = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(30))
                        .connect()) {
            assertThat(store.statistics().requests()).isOne();
            assertThat(client.connect().sync().dbsize()).isZero();
        }
    }

    /** As in a container with a fraction of a processor, where it takes seconds to load the classes of the client. */
    @Test
    void connect_takesSeconds_waitsForTheConnection() {
        try (RedisServer server = RedisServer.start();
                Proxy proxy = new Proxy(server)) {
            proxy.delayAll(Duration.ofMillis(1_100)); // the greeting, the scripts and the probe
            try (RedisStore store = RedisStore.builder(proxy.uri())
                    .timeout(Duration.ofSeconds(2))
                    .connect()) {
                proxy.delay(Duration.ZERO);
                RateLimiter limiter = RateLimiter.builder()
                        .name("default")
                        .limit("1/1h")
                        .store(store)
                        .build();
                assertThat(limiter.tryAcquire("key").degraded()).isFalse();
            }
        }
    }

    /** The first decision does not take the whole timeout, which may be an hour. */
    @Test
    void connect_serverHangsBeforeTheFirstDecision_returns() {
        try (RedisServer server = RedisServer.start()) {
            AtomicBoolean paused = new AtomicBoolean();
            RedisStore.Builder builder = RedisStore.builder(server.uri())
                    .timeout(Duration.ofHours(1))
                    .scriptTime(() -> {
                        if (paused.compareAndSet(false, true)) {
                            server.pause();
                        }
                        return PackedRequests.SERVER_TIME;
                    });

            try (RedisStore store =
                    builder.connectAsync().orTimeout(1, TimeUnit.MINUTES).join()) {
                assertThat(paused).isTrue();
                server.resume();
                assertThat(Blocking.peek(store, Request.of("test", Limits.parse("1/1h"), "key", 1))
                                .allowed())
                        .isTrue();
            }
        }
    }
}
