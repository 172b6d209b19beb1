package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The servers and the proxy do what the tests of faults rely on. */
final class HarnessTest {
    private static final String COUNT = "return redis.call('INCR', 'count')";

    static Stream<Path> binaries() {
        return RedisServer.binaries().stream();
    }

    private static long count(RedisServer server) {
        Object count = server.command("GET", "count");
        return count == null ? 0 : Long.parseLong((String) count);
    }

    @Test
    void server_killedPausedAndStartedAgain() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "a", "1");
            server.pause();
            assertThat(server.answers()).isFalse();
            server.resume();
            assertThat(server.command("GET", "a")).isEqualTo("1");
            server.kill();
            server.restart();
            assertThat(server.command("GET", "a")).isNull();
        }
    }

    /** A connection that is cut while the proxy accepts it does not end the loop that accepts connections. */
    @Test
    void proxy_cutWhileAccepting_keepsAccepting() throws Exception {
        try (RedisServer server = RedisServer.start();
                Proxy proxy = new Proxy(server)) {
            int port = RedisURI.create(proxy.uri()).getPort();
            AtomicBoolean connecting = new AtomicBoolean(true);
            Thread cutter = new Thread(() -> {
                while (connecting.get()) {
                    proxy.cut();
                    LockSupport.parkNanos(1_000);
                }
            });
            cutter.start();
            for (int i = 0; i < 300; i++) {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
            }
            connecting.set(false);
            cutter.join();

            long before = proxy.connections();
            try (Socket last = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(last.isConnected()).isTrue();
                Await.until("a connection", () -> proxy.connections() > before);
            }
        }
    }

    @Test
    void proxy_reply_mutedCutAndHeld_scriptRunsOnce() {
        try (RedisServer server = RedisServer.start();
                Proxy proxy = new Proxy(server);
                Counter counter = new Counter(proxy)) {
            assertThat(counter.count()).isEqualTo(1);

            proxy.next(Proxy.Fate.MUTE, 1);
            assertThatThrownBy(counter::count).isInstanceOf(RedisException.class);
            assertThat(count(server)).isEqualTo(2);
            proxy.cut();
            counter.awaitConnection(2);

            proxy.next(Proxy.Fate.CUT, 1);
            assertThatThrownBy(counter::count).isInstanceOf(RedisException.class);
            assertThat(count(server)).isEqualTo(3);
            counter.awaitConnection(3);

            proxy.hold();
            assertThatThrownBy(counter::count).isInstanceOf(RedisException.class);
            assertThat(count(server)).isEqualTo(4);
            proxy.release();
            assertThat(counter.count()).isEqualTo(5);
            assertThat(proxy.scripts()).isEqualTo(5);

            proxy.refuse();
            assertThatThrownBy(counter::count).isInstanceOf(RedisException.class);
            assertThat(count(server)).isEqualTo(5);
            proxy.accept();
            counter.awaitConnection(4);
        }
    }

    /** Counts by a script, on a connection that sends nothing twice. */
    private static final class Counter implements AutoCloseable {
        private final Proxy proxy;
        private final RedisClient client;
        private final StatefulRedisConnection<String, String> connection;

        Counter(Proxy proxy) {
            this.proxy = proxy;
            client = RedisClient.create(proxy.uri() + "?timeout=1s");
            client.setOptions(ClientOptions.builder()
                    .replayFilter(command -> true)
                    .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                    .build());
            connection = client.connect();
        }

        long count() {
            return connection.sync().<Long>eval(COUNT, ScriptOutputType.INTEGER, "count");
        }

        void awaitConnection(int number) {
            Await.until("connection " + number, () -> proxy.connections() == number && answers());
        }

        private boolean answers() {
            try {
                return connection.sync().ping().equals("PONG");
            } catch (RedisException notYet) {
                return false;
            }
        }

        @Override
        public void close() {
            connection.close();
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void cluster_movesASlotKeyByKey(Path binary) {
        try (RedisCluster cluster = RedisCluster.start(binary)) {
            int slot = cluster.slot("{a}1");
            RedisServer from = cluster.owner(slot);
            RedisServer to = cluster.other(from);
            from.command("SET", "{a}1", "1");
            from.command("SET", "{a}2", "2");

            RedisCluster.Move move = cluster.move(slot, to);
            assertThat(move.oneKey()).isTrue();
            assertThat(List.of(from.command("DBSIZE"), to.command("DBSIZE"))).containsExactly(1L, 1L);
            assertThatThrownBy(() -> from.command("GET", "{a}3")).hasMessageContaining("ASK");
            move.finish();

            assertThatThrownBy(() -> from.command("GET", "{a}1")).hasMessageContaining("MOVED");
            assertThat(to.command("GET", "{a}1")).isEqualTo("1");
            assertThat(cluster.owner(slot)).isSameAs(to);
        }
    }
}
