package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.Listener;
import dev.weir.store.Claim;
import dev.weir.store.StoreException;
import io.lettuce.core.RedisClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code of the user's that is called from within, and does what it should not; and stores that are closed under it. */
final class CallingBackTest {
    private static final Limits LIMITS = Limits.parse("10/1h");
    private static final Duration TIMEOUT = Duration.ofMillis(50);

    private RedisServer server;
    private Proxy proxy;

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

    private RedisStore.Builder store() {
        return RedisStore.builder(proxy.uri()).timeout(TIMEOUT);
    }

    private static Claim claim(String key) {
        return new Claim("test", LIMITS, key, 1);
    }

    @Test
    void listener_throws_connectionIsGivenUpAllTheSame() {
        RedisClient client = RedisClient.create(proxy.uri());
        Listener throwing = new Listener() {
            @Override
            public void storeDown(StoreException why) {
                throw new IllegalStateException("listener");
            }

            @Override
            public void storeUp() {
                throw new IllegalStateException("listener");
            }
        };
        try (RedisStore store = store().timeout(Duration.ofSeconds(5))
                        .client(client)
                        .listener(throwing)
                        .connect();
                RedisStore direct = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(10))
                        .connect()) {
            for (int round = 1; round <= 3; round++) {
                Await.until("a connection", () -> answers(store));
                proxy.next(Proxy.Fate.CUT, 1);
                long asked = System.nanoTime();
                assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
                assertThat(System.nanoTime() - asked).isLessThan(TimeUnit.SECONDS.toNanos(3));
                Await.until("a connection", () -> answers(store));
                assertThat(10 - direct.peek(claim("key")).remaining()).isEqualTo(round);
            }
            assertThat(proxy.sent("{test:key}")).isEqualTo(3);
        } finally {
            client.shutdown();
        }
    }

    private static boolean answers(RedisStore store) {
        try {
            store.peek(claim("probe"));
            return true;
        } catch (StoreException notYet) {
            return false;
        }
    }

    @Test
    void uri_unreadable_keepsItsPassword() {
        for (String uri : List.of(
                "redis://user:se cret@localhost:6379",
                "redis://:secret@local host",
                "redis://user:secret@localhost:99999",
                "redis://user:secret@localhost:port",
                "http://user:secret@localhost",
                "redis-sentinel://user:secret@localhost",
                "redis-cluster://user:secret@local host:1")) {
            try {
                RedisStore.builder(uri);
            } catch (IllegalArgumentException refused) {
                StringWriter trace = new StringWriter();
                refused.printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString()).as(uri).doesNotContain("cret");
            }
        }
    }
}
