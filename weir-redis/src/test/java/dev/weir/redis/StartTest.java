package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

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

    /** A server or a process that starts slowly: without a connection, the first decisions would follow the failure policy. */
    @Test
    void connect_serverIsSilent_waitsForTheFirstAttempt() {
        try (RedisServer server = RedisServer.start()) {
            server.pause();
            long start = System.nanoTime();
            RedisStore.connect(server.uri()).close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));
        }
    }
}
