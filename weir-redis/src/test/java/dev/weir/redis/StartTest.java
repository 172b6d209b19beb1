package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
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
}
