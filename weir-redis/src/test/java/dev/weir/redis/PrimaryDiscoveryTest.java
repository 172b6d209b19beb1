package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.redis.PrimaryDiscovery.Primary;
import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import dev.weir.testing.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sentinels that do not know each other, each with a primary of its own. */
final class PrimaryDiscoveryTest {
    private static final Path BINARY = RedisServer.binaries().get(0);
    private static final String NAME = "weir";

    private final RedisServer former = RedisServer.start();
    private final RedisServer current = RedisServer.start();
    private final List<RedisServer> sentinels = new ArrayList<>();
    private final RedisClient client = RedisClient.create();

    @AfterEach
    void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        Stream.concat(sentinels.stream(), Stream.of(former, current)).forEach(RedisServer::close);
    }

    @Test
    void find_sentinelThatMissedAFailover_isIgnored() {
        startSentinel(former, 1);
        startSentinel(current, 2);
        startSentinel(former, 0);

        assertThat(find()).containsExactly(new Primary(server(current), 2));
    }

    @Test
    void find_epochsAreEqual_allServersAreNamed() {
        startSentinel(former, 1);
        startSentinel(current, 1);
        startSentinel(former, 1);

        assertThat(find()).containsExactly(new Primary(server(former), 1), new Primary(server(current), 1));
    }

    /** By the rules of access of the sentinels. Then it is not known whether a failover is later than another. */
    @Test
    void find_epochIsSecret_theServerIsNamed() {
        startSentinel(current, 2).command("ACL", "SETUSER", "default", "-sentinel|master");

        assertThat(find()).containsExactly(new Primary(server(current), 0));
    }

    @Test
    void find_sentinelHangs_theOthersAnswer() {
        RedisServer hanging = startSentinel(former, 2);
        startSentinel(current, 1);
        PrimaryDiscovery discovery = discovery();
        Await.until("both", () -> discovery.find().join().get(0).epoch() == 2);

        hanging.pause();
        assertThat(discovery.find().join()).containsExactly(new Primary(server(current), 1));

        hanging.resume();
        Await.until("both again", () -> discovery.find().join().get(0).epoch() == 2);
    }

    @Test
    void find_primaryIsUnknown_fails_onTheSameConnectionEachTime() {
        RedisServer sentinel = startSentinel(current, 1);
        sentinel.command("SENTINEL", "REMOVE", NAME);
        PrimaryDiscovery discovery = discovery();
        assertFindsNothing(discovery);
        List<String> connection = ids(sentinel);

        assertFindsNothing(discovery);

        assertThat(ids(sentinel)).hasSize(1).isEqualTo(connection);
    }

    private void assertFindsNothing(PrimaryDiscovery discovery) {
        assertThatThrownBy(() -> discovery.find().join())
                .hasRootCauseMessage(
                        "the sentinel at 127.0.0.1:" + sentinels.get(0).port() + " does not know weir");
    }

    /** It is asked every second, for as long as it is down. */
    @Test
    void find_sentinelIsDown_nothingIsLogged() {
        startSentinel(former, 1).kill();
        startSentinel(current, 1);

        try (LogLines log = new LogLines("")) {
            assertThat(find()).containsExactly(new Primary(server(current), 1));
            assertThat(log.lines()).isEmpty();
        }
    }

    /** A probe and the question of each second may be at the same time. */
    @Test
    void find_twiceAtATime_bothSucceed_onOneConnection() {
        RedisServer sentinel = startSentinel(current, 1);
        for (int i = 0; i < 10; i++) {
            PrimaryDiscovery discovery = discovery();
            CompletableFuture<List<Primary>> one = discovery.find();
            CompletableFuture<List<Primary>> other = discovery.find();

            assertThat(List.of(one.join(), other.join())).containsOnly(List.of(new Primary(server(current), 1)));
            Await.until("one connection", () -> connections(sentinel) == 1);
            discovery.close();
            Await.until("no connection", () -> connections(sentinel) == 0);
        }
    }

    @Test
    void find_noSentinels_theServerOfTheUri() {
        PrimaryDiscovery discovery = new PrimaryDiscovery(client, server(current));

        assertThat(discovery.find().join()).containsExactly(new Primary(server(current), 0));
        assertThat(discovery.mayChange()).isFalse();
    }

    /** For example on the side of a partition that has the former primary. */
    @Test
    void store_onlyAnOutdatedSentinelAnswers_connectionIsKept() {
        RedisServer outdated = startSentinel(former, 1);
        RedisServer upToDate = startSentinel(current, 2);
        try (RedisStore store = RedisStore.connect(uri())) {
            Await.until("a decision", () -> decides(store) && current.calls("evalsha") > 0);
            upToDate.pause();
            long before = commands(outdated);
            AtomicInteger ofTheTest = new AtomicInteger(); // INFO is a command, too
            Await.until(
                    "three answers of two commands each",
                    () -> commands(outdated) - before - ofTheTest.incrementAndGet() >= 6);

            assertThat(decides(store)).isTrue();
            assertThat(former.calls("evalsha")).isZero();
            upToDate.resume();
        }
    }

    /** For example an OutOfMemoryError, if no thread can be started. */
    @Test
    void store_questionThrowsAnError_asksAgain() {
        RedisServer sentinel = startSentinel(current, 1);
        AtomicBoolean failing = new AtomicBoolean();
        AtomicInteger failures = new AtomicInteger();
        RedisClient throwing = new RedisClient() {
            @Override
            public <K, V> ConnectionFuture<StatefulRedisConnection<K, V>> connectAsync(
                    RedisCodec<K, V> codec, RedisURI uri) {
                if (failing.get()) {
                    failures.incrementAndGet();
                    throw new OutOfMemoryError("expected by a test");
                }
                return super.connectAsync(codec, uri);
            }
        };
        throwing.setOptions(ClientOptions.builder().autoReconnect(false).build());
        try (throwing;
                RedisStore store = RedisStore.builder(uri()).client(throwing).connect()) {
            Await.until("a decision", () -> decides(store));
            failing.set(true);

            Await.until("another question", () -> {
                sentinel.command("CLIENT", "KILL", "TYPE", "normal");
                return failures.get() > 1;
            });
        }
    }

    private static long commands(RedisServer sentinel) {
        return Long.parseLong(sentinel.info("stats", "total_commands_processed"));
    }

    private static boolean decides(RedisStore store) {
        try {
            return store.decide("test", Limits.parse("1/1h"), "key", 1).retryAfterNanos() >= 0;
        } catch (StoreException notYet) {
            return false;
        }
    }

    /** A user's client outlives the store. */
    @Test
    void close_connectionsToSentinels_areClosed() {
        RedisServer sentinel = startSentinel(current, 1);
        PrimaryDiscovery discovery = discovery();
        Await.until(
                "a connection",
                () -> discovery.find().handle((p, failure) -> failure == null).join());
        assertThat(connections(sentinel)).isEqualTo(1);

        discovery.close();

        Await.until("no connection", () -> connections(sentinel) == 0);
    }

    /** A user's client may wait for longer than the search does. */
    @Test
    void close_connectionThatWasMadeTooLate_isClosed() {
        RedisServer sentinel = startSentinel(current, 1);
        PrimaryDiscovery discovery = new PrimaryDiscovery(client, RedisURI.create(uri())); // waits for a minute
        sentinel.pause();
        assertThatThrownBy(() -> discovery.find().join()).hasRootCauseInstanceOf(TimeoutException.class);

        discovery.close();
        sentinel.resume();

        Await.until(
                "no connection but that of the question",
                () -> clients(sentinel).count() == 1);
    }

    private static long connections(RedisServer sentinel) {
        return ids(sentinel).size();
    }

    /** Returns what identifies the connections of discoveries. */
    private static List<String> ids(RedisServer sentinel) {
        return clients(sentinel)
                .filter(line -> line.contains("cmd=sentinel"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    private static Stream<String> clients(RedisServer sentinel) {
        return ((String) sentinel.command("CLIENT", "LIST", "TYPE", "normal")).lines();
    }

    private RedisServer startSentinel(RedisServer primary, int epoch) {
        RedisServer sentinel = RedisServer.sentinel(
                BINARY,
                List.of(
                        "sentinel monitor " + NAME + " 127.0.0.1 " + primary.port() + " 9",
                        "sentinel config-epoch " + NAME + " " + epoch));
        sentinels.add(sentinel);
        return sentinel;
    }

    private static RedisURI server(RedisServer server) {
        return RedisURI.builder().withHost("127.0.0.1").withPort(server.port()).build();
    }

    private List<Primary> find() {
        return discovery().find().join();
    }

    private PrimaryDiscovery discovery() {
        RedisURI uri = RedisURI.create(uri());
        uri.getSentinels().forEach(each -> each.setTimeout(Duration.ofSeconds(2))); // for a busy machine
        return new PrimaryDiscovery(client, uri);
    }

    private String uri() {
        String hosts =
                sentinels.stream().map(each -> "127.0.0.1:" + each.port()).collect(Collectors.joining(","));
        return "redis-sentinel://" + hosts + "/0#" + NAME;
    }
}
