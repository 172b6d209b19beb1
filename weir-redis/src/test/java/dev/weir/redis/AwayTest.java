package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that cannot be reached or do not answer, and invalid URIs. */
final class AwayTest {
    private final AtomicInteger downs = new AtomicInteger();
    private final StoreListener listener = new StoreListener() {
        @Override
        public void storeDown(StoreException failure) {
            downs.incrementAndGet();
        }
    };

    private static String unusedUri() {
        return "redis://127.0.0.1:" + RedisServer.freePort();
    }

    private static RateLimiter limiter(RedisStore store, FailurePolicy policy) {
        return RateLimiter.builder()
                .name("default")
                .limit("1/1h")
                .store(store)
                .whenStoreFails(policy)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "redis-cluster"})
    void connect_noServer_followsThePolicyAtOnce(String scheme) throws Exception {
        try (RedisStore store = RedisStore.builder(unusedUri().replace("redis:", scheme + ":"))
                .timeout(Await.TIMEOUT)
                .listener(listener)
                .connect()) {
            RateLimiter open = limiter(store, FailurePolicy.open());
            RateLimiter closed = limiter(store, FailurePolicy.closed());
            for (int i = 0; i < 3; i++) {
                assertThat(open.tryAcquire("key").degraded()).isTrue();
                assertThat(open.tryAcquire("key").allowed()).isTrue();
                assertThat(closed.tryAcquire("key").allowed()).isFalse();
                assertThat(closed.tryAcquireAsync("key", Duration.ofMinutes(1))
                                .join()
                                .degraded())
                        .isTrue();
            }
            await(() -> downs.get() == 1);
            assertThatThrownBy(() -> Blocking.reset(store, Request.of("default", Limits.parse("1/1h"), "key", 1)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("Redis cannot be reached");
        }
    }

    /** Measures processor time, because a busy machine also runs other threads. */
    @Test
    void open_costsFewMicroseconds() throws Exception {
        try (RedisStore store = RedisStore.connect(unusedUri())) {
            RateLimiter local = limiter(store, FailurePolicy.local(0.5));
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            int calls = 20_000;
            long bound = TimeUnit.MICROSECONDS.toNanos(20);
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 10 && best >= bound; round++) {
                long start = threads.getCurrentThreadCpuTime();
                for (int i = 0; i < calls; i++) {
                    var unused = local.tryAcquire("key");
                }
                best = Math.min(best, (threads.getCurrentThreadCpuTime() - start) / calls);
            }
            assertThat(best).isLessThan(bound);
        }
    }

    @Test
    void noAnswer_requestFailsAfterTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RedisStore store = RedisStore.builder("redis://127.0.0.1:" + silent.getLocalPort())
                        .timeout(Duration.ofMillis(20))
                        .connect()) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> store.reserve(List.of(Request.of("a", Limits.parse("1/1h"), "key", 1)), 0))
                    .isInstanceOf(StoreException.class);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:6379",
                "http://localhost",
                "",
                "redis-cluster://",
                "redis://:bad port",
                "redis-socket:///run/redis.sock",
                "redis://localhost:notaport",
                "redis://my_redis:notaport",
                "redis://my_redis:65536",
                "redis://localhost:65536",
                "redis-sentinel://localhost:notaport/0#name",
                "redis-sentinel://:26379/0#name",
                "redis-sentinel://localhost:26379,localhost:notaport/0#name",
                "redis-cluster://localhost:notaport",
                "redis-cluster://:7000",
                "redis-cluster://localhost:7000,localhost:notaport"
            })
    void uri_invalid_isRejected(String uri) {
        assertThatThrownBy(() -> RedisStore.builder(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("uri must be like redis://host:6379")
                .hasMessageEndingWith("it is none of these");
    }

    @Test
    void uri_hostWithUnderscore_hasItsPort() {
        RedisURI server = RedisUris.ofServer(RedisUris.checked("redis://:secret@my_redis:6380/2"));

        assertThat(RedisUris.address(server)).isEqualTo("my_redis:6380");
        assertThat(server.getDatabase()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:p@ss@localhost:6379",
                "redis-cluster://user:p@localhost:7000,user:p@localhost:7001",
                "redis-sentinel://p@localhost:26379,p@localhost:26380/0#main"
            })
    void uri_passwordNotEncodedOrNotOnce_messageExplainsIt(String uri) {
        assertThatThrownBy(() -> RedisStore.builder(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(
                        "write a password once, before all hosts, and percent-encode its special characters,"
                                + " such as %40 for @")
                .hasMessageNotContaining("p@");
    }

    private static void await(Await.Condition condition) {
        Await.until("the awaited condition", condition);
    }
}
