package dev.weir.redis;

import dev.weir.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests on a server of their own, behind a proxy. */
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
