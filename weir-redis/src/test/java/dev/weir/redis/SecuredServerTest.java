package dev.weir.redis;

import static dev.weir.redis.Blocking.answers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import dev.weir.testing.Certificate;
import dev.weir.testing.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS, a user with the fewest rights that suffice, and the names of keys on the server. */
final class SecuredServerTest {
    private static final Duration WITHOUT_A_RIGHT = Duration.ofSeconds(3); // operations that need it never succeed

    @TempDir
    static Path folder;

    private static Certificate certificate;

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = Certificate.create(folder, "weir");
    }

    static Stream<Path> binaries() {
        return RedisServer.binaries().stream();
    }

    private static RedisStore.Builder longTimeout(String uri) {
        return RedisStore.builder(uri).timeout(Await.TIMEOUT);
    }

    private static RedisServer tlsServer(Path binary, int port) {
        return RedisServer.start(
                binary,
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                certificate.certificate().toString(),
                "--tls-auth-clients",
                "no");
    }

    /** Returns whether a server was built with TLS. */
    private static boolean hasTls(Path binary) {
        try (RedisServer server = tlsServer(binary, RedisServer.freePort())) {
            return server.answers();
        } catch (IllegalStateException withoutTls) {
            return false;
        }
    }

    @Test
    void tls_trustedServer_serves() {
        List<Path> withTls = RedisServer.binaries().stream()
                .filter(SecuredServerTest::hasTls)
                .toList();
        assertThat(withTls).as("servers with TLS").isNotEmpty();
        for (Path binary : withTls) {
            int port = RedisServer.freePort();
            String uri = "rediss://127.0.0.1:" + port;
            RedisClient client = RedisClient.create(uri);
            client.setOptions(ClientOptions.builder()
                    .sslOptions(SslOptions.builder()
                            .jdkSslProvider()
                            .trustManager(certificate.certificate().toFile())
                            .build())
                    .build());
            try (RedisServer server = tlsServer(binary, port);
                    RedisStore trusting = longTimeout(uri).client(client).connect();
                    RedisStore careless = longTimeout(uri + "?verifyPeer=NONE").connect();
                    RedisStore distrusting = longTimeout(uri).connect()) {
                for (RedisStore store : List.of(trusting, careless)) {
                    Await.until("a connection", () -> answers(store));
                    assertLimits(store, store == trusting ? "trusting" : "careless", Await.TIMEOUT);
                }
                assertThatThrownBy(() -> distrusting.decide("test", Limits.parse("1/1m"), "key", 1))
                        .isInstanceOf(StoreException.class);
                assertThat(server.calls("evalsha")).isPositive();
            } finally {
                client.shutdown();
            }
        }
    }

    /** Uses every operation of the store: decides, peeks, reserves, refunds, blocks, resets. */
    private static void assertLimits(RedisStore store, String key, Duration timeout) {
        Request request = Request.of("test", Limits.parse("300/1m resolution=1us"), key, 1);
        for (int i = 0; i < 299; i++) {
            assertThat(store.decide("test", request.limits(), key, 1).allowed()).isTrue();
        }
        StoreReservation reservation = store.reserve(List.of(request), 0);
        assertThat(store.decide("test", request.limits(), key, 1).allowed()).isFalse();
        reservation.refund(1);
        Await.until("the refund", timeout, () -> Blocking.peek(store, request).remaining() == 1);
        Blocking.block(store, request, Duration.ofMinutes(1).toNanos());
        assertThat(Blocking.peek(store, request).allowed()).isFalse();
        Blocking.reset(store, request);
        assertThat(Blocking.peek(store, request).remaining()).isEqualTo(300);
        assertThat(store.reserve(
                                List.of(request, Request.of("test", Limits.parse("token-bucket 5/1s"), key + "2", 1)),
                                0)
                        .decision()
                        .allowed())
                .isTrue();
    }

    /** Uses a log that is partly in a hash: first some of its runs expire, then all of them. */
    private static void assertLongLogExpires(String uri) {
        AtomicLong now = new AtomicLong(System.currentTimeMillis() * 1_000);
        Limits limits = Limits.parse("300/1s resolution=1us");
        try (RedisStore store =
                longTimeout(uri).timeSource(() -> 1_000 * now.incrementAndGet()).connect()) {
            for (int i = 0; i < 300; i++) {
                assertThat(store.decide("test", limits, "long", 1).allowed()).isTrue();
            }
            now.addAndGet(999_900);
            assertThat(store.decide("test", limits, "long", 1).remaining()).isBetween(128L, 298L);
            now.addAndGet(2_000_000);
            assertThat(store.decide("test", limits, "long", 1).remaining()).isEqualTo(299);
        }
    }

    /** Pauses the server until the store opens the circuit and probes it, then resumes it and awaits recovery. */
    private static void assertRecovers(RedisServer server, String uri, Duration timeout) {
        try (RedisStore store =
                RedisStore.builder(uri).timeout(Duration.ofMillis(300)).connect()) {
            server.pause();
            for (int i = 0; i < 5; i++) {
                assertThat(answers(store)).isFalse();
            }
            server.resume();
            Await.until("recovery", timeout, () -> answers(store));
        }
    }

    /**
     * The rights that a user needs. With {@code +script|load}, scripts are loaded before their first use; with
     * {@code +ping}, a connection is kept although the server did not answer for some time.
     */
    private static final String[] RIGHTS = {
        "~weir:*",
        "+eval",
        "+evalsha",
        "+time",
        "+get",
        "+set",
        "+setrange",
        "+hget",
        "+hset",
        "+hdel",
        "+pexpire",
        "+pttl",
        "+unlink"
    };

    private static void addUser(RedisServer server, String name, String... rights) {
        String[] command = new String[6 + rights.length];
        command[0] = "ACL";
        command[1] = "SETUSER";
        command[2] = name;
        command[3] = "reset";
        command[4] = "on";
        command[5] = ">secret";
        System.arraycopy(rights, 0, command, 6, rights.length);
        server.command(command);
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void user_withTheRequiredRights_isServed(Path binary) {
        try (RedisServer server = RedisServer.start(binary)) {
            addUser(server, "weir", RIGHTS);
            assertServed(server, "weir", Await.TIMEOUT);
            assertThat(server.command("KEYS", "*").toString()).contains("weir:{test:key");
        }
    }

    /** If the probe succeeded on a replica, the circuit would open and close repeatedly. */
    @Test
    void user_withTheRequiredRights_onAReplica_probeFails() {
        try (RedisServer server = RedisServer.start()) {
            addUser(server, "weir", RIGHTS);
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(RedisServer.freePort()));
            RedisClient client = RedisClient.create(server.uri().replace("redis://", "redis://weir:secret@"));
            try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
                Probe probe = new Probe(
                        "weir:absent".getBytes(StandardCharsets.US_ASCII), new Timer(), Await.TIMEOUT.toNanos());
                assertThatThrownBy(() -> probe.write(connection).join()).hasMessageContaining("READONLY");
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void user_withoutAnyOneRight_fails() {
        try (RedisServer server = RedisServer.start()) {
            List<String> unneeded = new ArrayList<>();
            for (String right : RIGHTS) {
                server.command("FLUSHALL");
                server.command("SCRIPT", "FLUSH");
                addUser(
                        server,
                        "less",
                        Stream.of(RIGHTS).filter(each -> !each.equals(right)).toArray(String[]::new));
                try {
                    assertServed(server, "less", WITHOUT_A_RIGHT);
                    unneeded.add(right);
                } catch (StoreException | AssertionError expected) {
                    assertThat(expected)
                            .hasMessageMatching(
                                    "(?s).*(NOPERM|can't run this command|can't access|not within|no permissions).*");
                }
            }
            assertThat(unneeded).isEmpty();
        }
    }

    private static void assertServed(RedisServer server, String user, Duration timeout) {
        String uri = server.uri().replace("redis://", "redis://" + user + ":secret@");
        try (RedisStore store = longTimeout(uri).connect()) {
            assertLimits(store, "key", timeout);
        }
        assertLongLogExpires(uri);
        assertRecovers(server, uri, timeout);
    }

    /** The additional rights in a cluster: to find the slots, and to follow a slot that moves. */
    private static final String[] CLUSTER_RIGHTS = {"+cluster|nodes", "+asking"};

    @ParameterizedTest
    @MethodSource("binaries")
    void userOfACluster_withTheRequiredRights_isServed(Path binary) {
        try (RedisCluster cluster = RedisCluster.start(binary)) {
            List<String> all =
                    Stream.of(RIGHTS, CLUSTER_RIGHTS).flatMap(Stream::of).toList();
            assertServed(cluster, "weir", all, Await.TIMEOUT);
            for (String right : CLUSTER_RIGHTS) {
                List<String> less =
                        all.stream().filter(each -> !each.equals(right)).toList();
                assertThatThrownBy(() -> assertServed(cluster, "less", less, WITHOUT_A_RIGHT))
                        .as("without %s", right)
                        .hasMessageMatching("(?s).*(not within|MOVED).*");
            }
        }
    }

    private static void assertServed(RedisCluster cluster, String user, List<String> rights, Duration timeout) {
        cluster.nodes().forEach(node -> addUser(node, user, rights.toArray(String[]::new)));
        String uri = cluster.uri().replace("://", "://" + user + ":secret@");
        try (RedisStore patient =
                RedisStore.builder(uri).timeout(Duration.ofSeconds(5)).connect()) {
            Await.until("a connection", timeout, () -> answers(patient));
            assertLimits(patient, user, timeout);
            Limits limits = Limits.parse("300/1m resolution=1us");
            for (int i = 0; i < 200; i++) { // so that the key has a hash
                assertThat(patient.decide("test", limits, user, 1).allowed()).isTrue();
            }
            int slot = cluster.slot("weir:{test:" + user + "}");
            RedisCluster.Move move = cluster.move(slot, cluster.other(cluster.owner(slot)));
            try {
                move.keys();
                assertThat(patient.decide("test", limits, user, 1).remaining()).isLessThan(100);
            } finally {
                move.finish();
                cluster.awaitServing();
            }
        }
        assertRecovers(cluster, uri, timeout);
    }

    private static void assertRecovers(RedisCluster cluster, String uri, Duration timeout) {
        try (RedisStore store =
                RedisStore.builder(uri).timeout(Duration.ofSeconds(1)).connect()) {
            Await.until("a connection", timeout, () -> answers(store));
            cluster.nodes().forEach(RedisServer::pause);
            for (int i = 0; i < 4; i++) {
                assertThat(answers(store)).isFalse();
            }
            cluster.nodes().forEach(RedisServer::resume);
            Await.until("recovery", timeout, () -> answers(store));
        }
    }

    @Test
    void wrongPassword_throwsStoreException() {
        try (RedisServer server = RedisServer.start()) {
            addUser(server, "weir", RIGHTS);
            try (RedisStore store = longTimeout(server.uri().replace("redis://", "redis://weir:wrong@"))
                    .connect()) {
                assertThatThrownBy(() -> store.decide("test", Limits.parse("1/1m"), "key", 1))
                        .isInstanceOf(StoreException.class);
            }
        }
    }

    @Test
    void prefix_startsEveryKey() {
        try (RedisServer server = RedisServer.start()) {
            addUser(server, "shop", "~shop:*", "-@all", "+@all", "-@admin");
            String uri = server.uri().replace("redis://", "redis://shop:secret@");
            try (RedisStore shop = longTimeout(uri).prefix("shop").connect();
                    RedisStore weir = longTimeout(server.uri()).connect()) {
                assertLimits(shop, "key", Await.TIMEOUT);
                assertLimits(weir, "key", Await.TIMEOUT);

                assertThat((List<?>) server.command("KEYS", "*"))
                        .isNotEmpty()
                        .allSatisfy(key -> assertThat(key.toString()).containsPattern("^(shop|weir):\\{"));
            }
        }
    }

    @Test
    void hashedKeys_areNotOnTheServer_andShareALimitUnderOneSecret() {
        Limits limits = Limits.parse("2/1m");
        try (RedisServer server = RedisServer.start();
                RedisStore one = hashing(server, "secret");
                RedisStore two = hashing(server, "secret");
                RedisStore stranger = hashing(server, "another")) {
            String key = "alice@example.org";
            assertThat(one.decide("test", limits, key, 1).remaining()).isEqualTo(1);
            assertThat(two.decide("test", limits, key, 1).remaining()).isZero();
            assertThat(one.decide("test", limits, key, 1).allowed()).isFalse();
            assertThat(stranger.decide("test", limits, key, 1).allowed()).isTrue();

            assertThat((List<?>) server.command("KEYS", "*")).hasSize(2);
            assertThat(server.command("KEYS", "*").toString()).doesNotContain("alice");
            for (Object stored : (List<?>) server.command("KEYS", "*")) {
                assertThat(server.command("GET", stored.toString()).toString()).doesNotContain("alice");
            }
        }
    }

    private static RedisStore hashing(RedisServer server, String secret) {
        return longTimeout(server.uri()).hashKeys(secret).connect();
    }
}
