package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.testing.RedisServer;
import dev.weir.testkit.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of stores, on Redis. */
final class RedisStoreContractTest extends StoreContract {
    private static RedisServer server;
    private static int stores;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected long tickNanos() {
        return 1_000;
    }

    @Override
    protected Store store(TimeSource timeSource) {
        return RedisStore.builder(server.uri())
                .prefix("contract" + stores++)
                .timeout(Duration.ofSeconds(10))
                .timeSource(timeSource)
                .connect();
    }
}
