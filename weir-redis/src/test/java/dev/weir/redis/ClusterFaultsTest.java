package dev.weir.redis;

import static dev.weir.redis.Blocking.answers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.TimeSource;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import dev.weir.testing.RedisServer;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests for keys on one and on several nodes of a cluster, with faults. */
final class ClusterFaultsTest {
    private static final Limits LIMITS = Limits.parse("2/1h");
    private static final int KEYS = 30;

    /** Clusters of each version, which the tests share: a node serves two seconds after its start. */
    private static final Map<Path, RedisCluster> CLUSTERS = new HashMap<>();

    static List<Path> binaries() {
        return RedisServer.binaries();
    }

    @AfterAll
    static void stop() {
        CLUSTERS.values().forEach(RedisCluster::close);
        CLUSTERS.clear();
    }

    /** Returns an empty cluster, which the tests share. */
    private static RedisCluster cluster(Path binary) {
        RedisCluster cluster = CLUSTERS.computeIfAbsent(binary, RedisCluster::start);
        cluster.awaitServing();
        cluster.nodes().forEach(node -> node.command("FLUSHALL"));
        return cluster;
    }

    private static Request request(String key) {
        return Request.of("test", LIMITS, key, 1);
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void cluster_singleAndJointRequests_holdTheLimits(Path binary) {
        RedisCluster cluster = cluster(binary);
        try (RedisStore store =
                RedisStore.builder(cluster.uri()).timeout(Await.TIMEOUT).connect()) {
            assertLimits(store);
        }
        cluster.nodes().forEach(node -> node.command("FLUSHALL"));
        try (RedisClusterClient client = RedisClusterClient.create(cluster.uri().replace("redis-cluster:", "redis:"))) {
            ClusterClientOptions.Builder options = ClusterClientOptions.builder();
            options.replayFilter(command -> true);
            client.setOptions(options.build());
            try (RedisStore store = RedisStore.builder("redis://unused")
                    .client(client)
                    .timeout(Await.TIMEOUT)
                    .connect()) {
                assertLimits(store);
            }
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        }
    }

    /** As on a busy machine that still loads classes, where a node answers the first connections too late. */
    @ParameterizedTest
    @MethodSource("binaries")
    void connect_firstConnectionsToANodeFail_connectsAgain(Path binary) {
        RedisCluster cluster = cluster(binary);
        RedisServer node = cluster.other(cluster.owner(cluster.slot("weir:{weir:start}"))); // which connect() asks
        long before = node.calls("ping");
        ClientResources resources = ClientResources.builder()
                .nettyCustomizer(new LosesConnections(node.port(), 2, 3)) // the client asks for the nodes by the first
                .build();
        try (RedisStore store = RedisStore.builder(cluster.uri())
                .clientResources(resources)
                .timeout(Await.TIMEOUT)
                .connect()) {
            assertThat(node.calls("ping")).isGreaterThan(before);
            assertThat(store.statistics().requests()).isOne();
        } finally {
            var unused = resources.shutdown();
        }
    }

    /** Closes some of the connections to a server, counted from 1, when they are made. */
    private static final class LosesConnections implements NettyCustomizer {
        private final int port;
        private final int first;
        private final int last;
        private final AtomicInteger made = new AtomicInteger();

        LosesConnections(int port, int first, int last) {
            this.port = port;
            this.first = first;
            this.last = last;
        }

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelActive(ChannelHandlerContext context) {
                    boolean counts = ((InetSocketAddress) context.channel().remoteAddress()).getPort() == port;
                    int number = counts ? made.incrementAndGet() : 0;
                    if (first <= number && number <= last) {
                        var unused = context.close();
                    } else {
                        context.fireChannelActive();
                    }
                }
            });
        }
    }

    private static void assertLimits(RedisStore store) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            all.add(request("key " + i));
        }
        Await.until("all nodes", () -> all.stream().allMatch(request -> answers(store, request)));
        StoreReservation first = store.reserve(all, 0);
        assertThat(first.decision().allowed()).isTrue();
        all.forEach(request -> assertThat(
                        store.decide("test", LIMITS, request.key(), 1).allowed())
                .isTrue());
        first.cancel(0);
        assertThat(store.decide("test", LIMITS, "key 7", 1).allowed()).isTrue();
        assertThat(store.reserve(all, 0).decision().allowed()).isFalse();
        for (int i = 0; i < KEYS; i++) {
            boolean full = i == 7;
            assertThat(Blocking.peek(store, request("key " + i)).remaining()).isEqualTo(full ? 0 : 1);
        }
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void jointRequest_aNodeHangs_othersGrantNothing(Path binary) {
        RedisCluster cluster = cluster(binary);
        try (RedisStore store =
                RedisStore.builder(cluster.uri()).timeout(Duration.ofSeconds(1)).connect()) {
            List<Request> all = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                all.add(request("key " + i));
            }
            Await.until("all nodes", () -> all.stream().allMatch(request -> answers(store, request)));
            RedisServer hanging = cluster.nodes().get(1);
            hanging.pause();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> store.reserve(all, 0)).isInstanceOf(StoreException.class);
            }
            hanging.resume();
            Await.until("all nodes", () -> all.stream().allMatch(request -> answers(store, request)));
            Await.until("no grants", () -> all.stream().allMatch(request -> remaining(store, request) == 2));
        }
    }

    /** If attempts count, a part is reserved before the answers to the others are known. */
    @ParameterizedTest
    @MethodSource("binaries")
    void jointRequest_aNodeHangs_othersAreRefunded(Path binary) {
        RedisCluster cluster = cluster(binary);
        try (RedisStore store =
                RedisStore.builder(cluster.uri()).timeout(Duration.ofSeconds(1)).connect()) {
            RedisServer answering = cluster.nodes().get(0);
            RedisServer hanging = cluster.nodes().get(1);
            Limits counted = Limits.parse("9/1h count=attempts name=attempts", "5/1h name=log");
            Request reserved = Request.of("test", counted, keyOn(cluster, answering), 1);
            Request silent = request(keyOn(cluster, hanging));
            Await.until("both nodes", () -> answers(store, reserved) && answers(store, silent));
            answering.command("CONFIG", "SET", "cluster-require-full-coverage", "no");
            hanging.pause();
            assertThatThrownBy(() -> store.reserve(List.of(reserved, silent), 0))
                    .isInstanceOf(StoreException.class);

            Await.until("a refund", () -> remainingOfEach(store, reserved).equals(List.of(8L, 5L)));
            hanging.resume();
        }
    }

    /** The first part is reserved when the time for the second one cannot be read. */
    @ParameterizedTest
    @MethodSource("binaries")
    void jointRequest_timeSourceFails_othersAreRefunded(Path binary) {
        AtomicInteger left = new AtomicInteger(); // of readings before one fails
        TimeSource failing = () -> {
            if (left.decrementAndGet() == 0) {
                throw new IllegalStateException("no time");
            }
            return Duration.ofDays(1).toNanos();
        };
        RedisCluster cluster = cluster(binary);
        try (RedisStore store = RedisStore.builder(cluster.uri())
                .timeSource(failing)
                .timeout(Await.TIMEOUT)
                .connect()) {
            Limits counted = Limits.parse("9/1h count=attempts name=attempts", "5/1h name=log");
            Request reserved =
                    Request.of("test", counted, keyOn(cluster, cluster.nodes().get(0)), 1);
            Request other = request(keyOn(cluster, cluster.nodes().get(1)));
            Await.until("both nodes", () -> answers(store, reserved) && answers(store, other));

            left.set(2);
            assertThatThrownBy(() -> store.reserve(List.of(reserved, other), 0)).hasMessage("no time");

            Await.until("a refund", () -> remainingOfEach(store, reserved).equals(List.of(8L, 5L)));
        }
    }

    /** Returns the remaining permits of each limit, or an empty list if the store does not answer. */
    private static List<Long> remainingOfEach(RedisStore store, Request request) {
        try {
            return Blocking.peek(store, request).statuses().stream()
                    .map(Status::remaining)
                    .toList();
        } catch (StoreException notYet) {
            return List.of();
        }
    }

    /** The hanging node reserves when it resumes, because attempts count; the others must not reserve after the cancellation. */
    @ParameterizedTest
    @MethodSource("binaries")
    void jointRequest_cancelledWhileANodeHangs_othersReserveNothing(Path binary) {
        RedisCluster cluster = cluster(binary);
        try (RedisStore store =
                RedisStore.builder(cluster.uri()).timeout(Await.TIMEOUT).connect()) {
            RedisServer hanging = cluster.nodes().get(0);
            RedisServer other = cluster.nodes().get(1);
            Request counted = Request.of("test", Limits.parse("9/1h count=attempts"), keyOn(cluster, hanging), 1);
            Request waiting = request(keyOn(cluster, other));
            Await.until("both nodes", () -> answers(store, counted) && answers(store, waiting));
            long hangingBefore = hanging.calls("evalsha");
            long otherBefore = other.calls("evalsha");

            hanging.pause();
            CompletableFuture<StoreReservation> joint = store.reserveAsync(List.of(waiting, counted), 0);
            Await.until("a peek", () -> other.calls("evalsha") - otherBefore == 1);
            joint.cancel(false);
            hanging.resume();

            Await.until("a reservation and its refund", () -> hanging.calls("evalsha") - hangingBefore == 2);
            assertThat(other.calls("evalsha") - otherBefore).isEqualTo(1);
        }
    }

    /** Clients reach it, but the other nodes do not, and have promoted its replica. */
    @ParameterizedTest
    @MethodSource("binaries")
    void primaryCutOffFromOtherNodes_itsReplicaIsUsed(Path binary) {
        try (RedisCluster cluster = RedisCluster.start(binary)) {
            RedisServer primary = cluster.nodes().get(0);
            Request request = request(keyOn(cluster, primary));
            RedisServer replica = cluster.addReplica(binary, primary);
            try (RedisStore store =
                    RedisStore.builder(cluster.uri()).timeout(Await.TIMEOUT).connect()) {
                Await.until("a connection", () -> answers(store, request));
                cluster.cutOff(primary);
                assertThatThrownBy(() -> Blocking.peek(store, request)).hasMessageContaining("CLUSTERDOWN");
                replica.command("CLUSTER", "FAILOVER", "TAKEOVER");

                Await.until("the replica", () -> answers(store, request));
            }
        }
    }

    /** The client only says that it is not connected; its reason is in its own log. */
    @ParameterizedTest
    @MethodSource("binaries")
    void passwordChangedAndConnectionsLost_logHasTheReason(Path binary) {
        RedisCluster cluster = cluster(binary);
        cluster.nodes().forEach(node -> node.command("ACL", "SETUSER", "weir", "on", ">old", "~*", "+@all"));
        String uri = cluster.uri().replace("//", "//weir:old@");
        try (LogLines log = new LogLines("dev.weir.redis");
                RedisStore store =
                        RedisStore.builder(uri).timeout(Await.TIMEOUT).connect()) {
            Await.until("a connection", () -> answers(store, request("key")));
            for (RedisServer node : cluster.nodes()) {
                node.command("ACL", "SETUSER", "weir", "resetpass", ">new");
                node.command("CLIENT", "KILL", "USER", "weir");
            }

            Await.until(
                    "the reason",
                    () -> !answers(store, request("key"))
                            && log.lines().stream().anyMatch(line -> line.contains("WRONGPASS")));

            cluster.nodes().forEach(node -> node.command("ACL", "SETUSER", "weir", "resetpass", ">old"));
            Await.until("another connection", () -> answers(store, request("key")));
        } finally {
            cluster.nodes().forEach(node -> node.command("ACL", "DELUSER", "weir"));
        }
    }

    private static String keyOn(RedisCluster cluster, RedisServer node) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key " + i)
                .filter(key -> cluster.owner(cluster.slot("weir:{test:" + key + "}")) == node)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void cut_grantedOnce(Path binary) {
        assertLostReplyGrantsOnce(binary, Proxy.Fate.CUT);
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void muted_connectsAgain(Path binary) {
        assertLostReplyGrantsOnce(binary, Proxy.Fate.MUTE);
    }

    private static void assertLostReplyGrantsOnce(Path binary, Proxy.Fate fate) {
        int port = RedisServer.freePort();
        try (RedisServer node = singleNode(binary, port);
                Proxy proxy = new Proxy(node, port);
                RedisStore store = RedisStore.builder(proxy.uri().replace("redis:", "redis-cluster:"))
                        .timeout(Duration.ofMillis(500))
                        .connect()) {
            Await.until("a connection", () -> answers(store, request("key")));
            proxy.next(fate, 1);
            assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
            Await.until("another connection", () -> answers(store, request("key")));
            assertThat(Blocking.peek(store, request("key")).remaining()).isEqualTo(1);
        }
    }

    /** Starts a cluster of one node that announces the address of the proxy. */
    private static RedisServer singleNode(Path binary, int port) {
        RedisServer node = RedisServer.start(
                binary,
                "--cluster-enabled",
                "yes",
                "--cluster-announce-ip",
                "127.0.0.1",
                "--cluster-announce-port",
                Integer.toString(port));
        List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        for (int slot = 0; slot < 16_384; slot++) {
            slots.add(Integer.toString(slot));
        }
        node.command(slots.toArray(String[]::new));
        Await.until("a cluster", () -> ((String) node.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        return node;
    }

    /** Returns the remaining permits, or -1 if the store does not answer. */
    private static long remaining(RedisStore store, Request request) {
        try {
            return Blocking.peek(store, request).remaining();
        } catch (StoreException notYet) {
            return -1;
        }
    }
}
