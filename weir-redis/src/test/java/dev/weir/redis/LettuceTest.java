package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.event.connection.ReconnectAttemptEvent;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import reactor.core.Disposable;

/** Behavior that depends on the version of Lettuce. The modules in {@code lettuce} run it with the versions of Spring Boot. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LettuceTest {
    private static RedisCluster cluster; // one for all tests: a node serves two seconds after its start

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StoreListener listener = new StoreListener() {
        @Override
        public void storeDown(StoreException failure) {
            events.add("down");
        }

        @Override
        public void storeUp() {
            events.add("up");
        }
    };

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.start(RedisServer.binaries().get(0));
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private RedisStore connect(String uri) {
        return RedisStore.builder(uri)
                .timeout(Duration.ofSeconds(10))
                .listener(listener)
                .connect();
    }

    private static RateLimiter limiter(RedisStore store) {
        return RateLimiter.builder()
                .name("test")
                .limit("3/1h")
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .build();
    }

    @Test
    void version_isTheOneThatIsTested() {
        assertThat(LettuceVersion.getVersion()).startsWith(System.getProperty("lettuce.version"));
    }

    @Test
    void server_failsAndRecovers() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisStore store = connect(server.uri())) {
            RateLimiter limiter = limiter(store);
            Await.until("a connection", () -> !limiter.tryAcquire("first").degraded());
            events.clear();
            assertThat(limiter.tryAcquire("key", 2).remaining()).isEqualTo(1);
            Reservation reservation = limiter.reserve("key", Duration.ZERO);
            assertThat(limiter.tryAcquire("key").allowed()).isFalse();
            assertThat(reservation.cancel()).isTrue();
            assertThat(limiter.tryAcquireAsync("key").join().allowed()).isTrue();
            assertThat(limiter.inspect("key").limits()).hasSize(1);

            server.kill();
            Await.until("the failure", () -> limiter.tryAcquire("other").degraded());
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("down");
            server.restart();
            Await.until("recovery", () -> !limiter.peek("other").degraded());
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("up");
        }
    }

    @Test
    void cluster_connectionLost_connectsAgain() {
        try (RedisStore store = connect(cluster.uri())) {
            RateLimiter limiter = limiter(store);
            for (int i = 0; i < 10; i++) {
                String key = "key " + i;
                Await.until("a node", () -> !limiter.peek(key).degraded());
                assertThat(limiter.tryAcquire(key, 3).allowed()).isTrue();
            }
            assertThat(RateLimiter.tryAcquireAll(limiter.request("a", 2), limiter.request("b", 2))
                            .allowed())
                    .isTrue();
            cluster.nodes().forEach(node -> node.command("CLIENT", "KILL", "TYPE", "normal"));
            for (int i = 0; i < 10; i++) {
                String key = "key " + i;
                Await.until("a node", () -> !limiter.peek(key).degraded());
                assertThat(limiter.tryAcquire(key).allowed()).isFalse();
            }
        }
    }

    /** Without a refresh of the topology, each request for the slot would be redirected. Lettuce 6 must be configured to refresh. */
    @Test
    void cluster_slotHasMoved_sendsToItsNewNode() {
        try (RedisStore store = connect(cluster.uri())) {
            RateLimiter limiter = limiter(store);
            Await.until("a node", () -> !limiter.peek("moved").degraded());
            int slot = cluster.slot("weir:{test:moved}");
            RedisServer from = cluster.owner(slot);
            cluster.move(slot, cluster.other(from)).finish();
            Await.until("a request that is not redirected", () -> {
                String redirections = from.info("errorstats", "errorstat_MOVED");
                return !limiter.peek("moved").degraded()
                        && from.info("errorstats", "errorstat_MOVED").equals(redirections);
            });
        }
    }

    private static String keyOf(RedisServer node) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key " + i)
                .filter(key -> cluster.owner(cluster.slot("weir:{test:" + key + "}")) == node)
                .findFirst()
                .orElseThrow();
    }

    /**
     * By default, Lettuce 6 does not connect to an unknown node. Lettuce 7.7 fails until it is connected, which is not a
     * failure of the former node.
     */
    @Test
    void cluster_slotHasMovedToANewNode_connectsToIt() {
        try (RedisStore store = connect(cluster.uri())) {
            RateLimiter limiter = limiter(store);
            Await.until("a node", () -> !limiter.peek("new").degraded());
            RedisServer added = cluster.addNode(RedisServer.binaries().get(0));
            int slot = cluster.slot("weir:{test:new}");
            String stays = keyOf(cluster.owner(slot));
            cluster.move(slot, added).finish();
            Await.until("an answer", () -> {
                try {
                    return store.decide("test", Limits.parse("3/1h"), "new", 1).allowed();
                } catch (StoreException notYet) {
                    assertThat(limiter.peek(stays).degraded()).isFalse();
                    assertThat(notYet).hasMessageNotContaining("not allowed");
                    return false;
                }
            });
        }
    }

    @Test
    void client_isShutDown_messageStatesIt() {
        RedisClient client = RedisClient.create();
        client.shutdown();
        RedisClusterClient ofCluster = RedisClusterClient.create("redis://127.0.0.1:1");
        ClusterClientOptions.Builder options = ClusterClientOptions.builder();
        options.replayFilter(command -> true);
        ofCluster.setOptions(options.build());
        ofCluster.shutdown();
        RedisStore.Builder builder = RedisStore.builder("redis://127.0.0.1:1");
        try (RedisStore one = builder.client(client).connect();
                RedisStore many = builder.client(ofCluster).connect()) {
            for (RedisStore store : List.of(one, many)) {
                assertThatThrownBy(() -> store.decide("test", Limits.parse("1/1m"), "key", 1))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("Redis cannot be reached");
            }
        }
    }

    /** A client that does not reconnect would never reach a node again whose connection was lost. */
    @Test
    void clusterClient_mustReconnect_andNotRepeat() {
        RedisStore.Builder builder = RedisStore.builder("redis://unused");
        ClusterClientOptions.Builder options = ClusterClientOptions.builder();
        options.replayFilter(command -> true);
        try (RedisClusterClient client = RedisClusterClient.create("redis://unused")) {
            client.setOptions(options.autoReconnect(false).build());
            assertThatThrownBy(() -> builder.client(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("autoReconnect(true)");
            client.setOptions(ClusterClientOptions.create());
            assertThatThrownBy(() -> builder.client(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("replayFilter(command -> true)");
            client.setOptions(options.autoReconnect(true).build());
            assertThat(builder.client(client)).isSameAs(builder);
        }
    }

    /** By default Lettuce waits up to 30 s before it reconnects to a node. This is the last test, because the node stays down. */
    @Test
    @Order(Integer.MAX_VALUE)
    void cluster_nodeIsDown_reconnectsEveryHalfSecond() {
        ClientResources resources = DefaultClientResources.create();
        Queue<Duration> delays = new ConcurrentLinkedQueue<>();
        Disposable subscription = resources
                .eventBus()
                .get()
                .ofType(ReconnectAttemptEvent.class)
                .subscribe(attempt -> delays.add(attempt.getDelay()));
        try (RedisStore store = RedisStore.builder(cluster.uri())
                .clientResources(resources)
                .timeout(Duration.ofSeconds(2))
                .connect()) {
            RateLimiter limiter = limiter(store);
            for (int i = 0; i < 10; i++) {
                String key = "key " + i;
                Await.until("a node", () -> !limiter.peek(key).degraded());
            }
            cluster.nodes().get(0).kill();
            Await.until("attempts to reconnect", () -> delays.size() > 12);
            assertThat(delays).allSatisfy(delay -> assertThat(delay).isLessThanOrEqualTo(Duration.ofMillis(500)));
        } finally {
            subscription.dispose();
            assertThat(resources.eventExecutorGroup().isShuttingDown()).isFalse();
            resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    @Test
    void cluster_closed_endsItsThreads() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        connect(cluster.uri()).close();
        Await.until(
                "the end of the client's threads",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("lettuce-") && !before.contains(thread)));
    }
}
