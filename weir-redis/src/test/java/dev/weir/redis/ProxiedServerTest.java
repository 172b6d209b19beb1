package dev.weir.redis;

import dev.weir.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Starts a server behind a proxy for each test. */
abstract class ProxiedServerTest {
    RedisServer server;
    Proxy proxy;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        proxy = new Proxy(server);
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }
}
