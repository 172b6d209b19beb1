package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas, slow servers, and clusters with nodes that hang. */
final class UnhealthyServerTest extends ProxiedServerTest {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final StoreListener listener = new StoreEvents(events);

    private static RateLimiter limiter(RedisStore store) {
        return RateLimiter.builder()
                .name("test")
                .limit("1000000/1h")
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .build();
    }

    /** Waits for a connection, and for the events of earlier failures: another thread notifies the listener. */
    private void awaitConnection(RateLimiter limiter) {
        Await.until("a connection", () -> !limiter.tryAcquire("key").degraded());
        Await.until("its event", () -> events.size() % 2 == 0);
        events.clear();
    }

    /** Requests permits every few milliseconds for the given time. */
    private static void requestRepeatedly(RateLimiter limiter, Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (end - System.nanoTime() > 0) {
            limiter.tryAcquire("key");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void becomesAReplica_oneDownAndOneUp_fewConnections(String servesStaleData) {
        server.command("CONFIG", "SET", "replica-serve-stale-data", servesStaleData);
        String[] cause = {"REPLICAOF", "127.0.0.1", Integer.toString(RedisServer.freePort())};
        assertOneDownAndOneUp(cause, new String[] {"REPLICAOF", "NO", "ONE"}, "READONLY", "MASTERDOWN");
    }

    /** The server may be partitioned from its replicas, one of which may be the primary already. */
    @Test
    void hasTooFewReplicas_oneDownAndOneUp_connectsAgain() {
        String[] cause = {"CONFIG", "SET", "min-replicas-to-write", "1"};
        assertOneDownAndOneUp(cause, new String[] {"CONFIG", "SET", "min-replicas-to-write", "0"}, "NOREPLICAS");
    }

    /** The server rejects writes between two commands; the store reconnects, but not often. */
    private void assertOneDownAndOneUp(String[] from, String[] until, String... refusals) {
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Duration.ofSeconds(1))
                .listener(listener)
                .connect()) {
            RateLimiter limiter = limiter(store);
            awaitConnection(limiter);
            long connections = proxy.connections();
            server.command(from);
            requestRepeatedly(limiter, Duration.ofMillis(1_500));
            assertThat(proxy.connections() - connections).isBetween(1L, 10L);
            Await.until("the event", () -> !events.isEmpty());
            assertThat(events).hasSize(1).first().asString().containsAnyOf(refusals);

            server.command(until);
            Await.until("recovery", () -> !limiter.tryAcquire("key").degraded());
            Await.until("the event", () -> events.size() == 2);
            assertThat(events.get(1)).isEqualTo("up");
        }
    }

    @Test
    void answersAlwaysTooLate_oneDown() {
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Duration.ofMillis(200))
                .listener(listener)
                .connect()) {
            RateLimiter limiter = limiter(store);
            awaitConnection(limiter);
            proxy.delayAll(Duration.ofMillis(300));
            Await.until("the event", () -> limiter.tryAcquire("key").degraded() && !events.isEmpty());
            // A probe may be in time because a pause of this process does not count; a fault makes all of them be in
            // time.
            Await.until("two seconds without another event", () -> {
                events.clear();
                requestRepeatedly(limiter, Duration.ofSeconds(2));
                return events.isEmpty();
            });

            proxy.delayAll(Duration.ZERO);
            Await.until("recovery", () -> !limiter.tryAcquire("key").degraded());
        }
    }

    /** Probes are answered in time, scripts are not. */
    @Test
    void scriptsAreSlow_circuitDoesNotFlap() {
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Duration.ofMillis(50))
                .listener(listener)
                .connect()) {
            RateLimiter limiter = limiter(store);
            awaitConnection(limiter);
            proxy.delay(Duration.ofMillis(150));
            requestRepeatedly(limiter, Duration.ofSeconds(3));
            assertThat(events.stream().filter(event -> event.startsWith("down")))
                    .hasSizeBetween(1, 7);
        }
    }

    /** The store must not report that it is up while requests for the keys of a node fail. */
    @Test
    void twoClusterNodesHang_upWhenBothAreBack() {
        try (RedisCluster cluster = RedisCluster.start(RedisServer.binaries().get(0));
                RedisStore store = RedisStore.builder(cluster.uri())
                        .timeout(Duration.ofMillis(500))
                        .listener(listener)
                        .connect()) {
            RedisServer first = cluster.nodes().get(0);
            RedisServer second = cluster.nodes().get(1);
            String ofFirst = key(cluster, first);
            String ofSecond = key(cluster, second);
            Await.until("a connection", () -> isServed(store, ofFirst) && isServed(store, ofSecond));
            try {
                first.pause();
                second.pause();
                Await.until("two open circuits", () -> failsAtOnce(store, ofFirst) && failsAtOnce(store, ofSecond));
                first.resume();
                Await.until("the first node", () -> isServed(store, ofFirst));
            } finally {
                first.resume();
                second.resume();
            }
            Await.until("the second node", () -> isServed(store, ofSecond));
            Await.until(
                    "the event",
                    () -> !events.isEmpty() && events.get(events.size() - 1).equals("up"));

            assertThat(events.size() % 2).as("%s", events).isZero();
            for (int i = 0; i < events.size(); i++) {
                assertThat(events.get(i)).as("%s", events).startsWith(i % 2 == 0 ? "down" : "up");
            }
        }
    }

    private static String key(RedisCluster cluster, RedisServer owner) {
        int i = 0;
        while (cluster.owner(cluster.slot("weir:{test:key " + i + "}")) != owner) {
            i++;
        }
        return "key " + i;
    }

    private static boolean isServed(RedisStore store, String key) {
        return !limiter(store).tryAcquire(key).degraded();
    }

    private static boolean failsAtOnce(RedisStore store, String key) {
        try {
            store.decide("test", Limits.parse("1000000/1h"), key, 1);
            return false;
        } catch (StoreException failure) {
            return String.valueOf(failure.getMessage()).startsWith("Redis does not answer");
        }
    }

    /** The best of three, because other programs may delay this one. */
    @Test
    void clusterPrimaryHangs_recoversSoonAfterThePromotion() {
        long millis = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 3 && millis >= 1_000; attempt++) {
            events.clear();
            millis = Math.min(millis, millisFromPromotionToService());
        }
        assertThat(millis).isLessThan(1_000);
    }

    private long millisFromPromotionToService() {
        try (RedisCluster cluster = RedisCluster.start(RedisServer.binaries().get(0))) {
            RedisServer primary = cluster.nodes().get(0);
            RedisServer replica = cluster.addReplica(RedisServer.binaries().get(0), primary);
            try (RedisStore store =
                    RedisStore.builder(cluster.uri()).listener(listener).connect()) {
                RateLimiter limiter = limiter(store);
                String hung = key(cluster, primary);
                Await.until("a connection", () -> !limiter.tryAcquire(hung).degraded());
                primary.pause();
                Await.until("the failure", () -> limiter.tryAcquire(hung).degraded() && !events.isEmpty());
                replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
                long promoted = System.nanoTime();
                Await.until("service", () -> !limiter.tryAcquire(hung).degraded());
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - promoted);
                Await.until("the event", () -> events.contains("up"));
                return millis;
            } finally {
                primary.resume();
            }
        }
    }
}
