package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes to a server in use: scripts or data flushed, memory full, made a replica. */
final class ServerUpkeepTest {
    private static final String FLUSH = "local time = redis.call('TIME') redis.call('FLUSHALL') "
            + "return time[1] .. string.format('%06d', time[2])";

    static Stream<Path> binaries() {
        return RedisServer.binaries().stream();
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void scriptsFlushedRepeatedly_noRequestFails(Path binary) {
        String limit = "50/100ms resolution=1us";
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect();
                Hammer hammer = new Hammer(store, limit, 4, "a", "b")) {
            for (int i = 0; i < 20; i++) {
                hammer.awaitPermits(20);
                server.command("SCRIPT", "FLUSH");
            }
            hammer.awaitPermits(100);
            hammer.stop();
            hammer.assertNoFailures();
            hammer.trace().assertHolds(Limit.parse(limit));
        }
    }

    /** A flush removes recorded permits, so a window may hold N permits more for each flush in it. */
    @Test
    void dataFlushed_limitHoldsBetweenFlushes() {
        String limit = "50/300ms resolution=1us";
        try (RedisServer server = RedisServer.start();
                RedisStore store =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect();
                Hammer hammer = new Hammer(store, limit, 4, "a", "b")) {
            List<Long> flushed = new ArrayList<>(List.of(Long.MIN_VALUE));
            for (int i = 0; i < 5; i++) {
                hammer.awaitPermits(120);
                flushed.add(Long.parseLong((String) server.command("EVAL", FLUSH, "0")) * 1_000);
            }
            hammer.awaitPermits(120);
            hammer.stop();
            flushed.add(Long.MAX_VALUE);

            hammer.assertNoFailures();
            for (int i = 1; i < flushed.size(); i++) {
                hammer.trace().between(flushed.get(i - 1), flushed.get(i)).assertHolds(Limit.parse(limit));
            }
        }
    }

    private static RateLimiter closed(RedisStore store) {
        return RateLimiter.builder()
                .name("test")
                .limit("5/1h")
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .build();
    }

    private static void assertUnavailable(RedisStore store, RateLimiter limiter, String why) {
        assertThatThrownBy(() -> store.decide("test", Limits.parse("5/1h"), "new", 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(why);
        Decision decision = limiter.tryAcquire("other");
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.degraded()).isTrue();
    }

    private static void assertRecovers(RateLimiter limiter) {
        Await.until("recovery", () -> !limiter.tryAcquire("probe").degraded());
        assertThat(limiter.peek("new").remaining()).isEqualTo(5);
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void memoryFull_reportsReason_andRecovers(Path binary) {
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect()) {
            RateLimiter limiter = closed(store);
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(4);

            server.command("CONFIG", "SET", "maxmemory", "1");
            assertUnavailable(store, limiter, "OOM");

            server.command("CONFIG", "SET", "maxmemory", "0");
            assertRecovers(limiter);
        }
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void madeAReplica_reportsReason_andRecovers(Path binary) {
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect()) {
            RateLimiter limiter = closed(store);
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(4);

            server.command("REPLICAOF", "127.0.0.1", Integer.toString(RedisServer.freePort()));
            assertUnavailable(store, limiter, "READONLY");

            server.command("REPLICAOF", "NO", "ONE");
            assertRecovers(limiter);
        }
    }

    /** Includes Redis 6, which puts text before the error of a command in a script. */
    @ParameterizedTest
    @MethodSource("binaries")
    void oneRequest_onAReplica_opensTheCircuit(Path binary) throws InterruptedException {
        CountDownLatch down = new CountDownLatch(1);
        StoreListener listener = new StoreListener() {
            @Override
            public void storeDown(StoreException failure) {
                down.countDown();
            }
        };
        try (RedisServer server = RedisServer.start(binary);
                RedisStore store = RedisStore.builder(server.uri())
                        .timeout(Await.TIMEOUT)
                        .listener(listener)
                        .connect()) {
            Limits limits = Limits.parse("5/1h");
            assertThat(store.decide("test", limits, "key", 1).allowed()).isTrue();

            server.command("REPLICAOF", "127.0.0.1", Integer.toString(RedisServer.freePort()));
            assertThatThrownBy(() -> store.decide("test", limits, "key", 1))
                    .hasMessageStartingWith("Redis refused: READONLY You can't write against a read only replica.");
            assertThat(down.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** If each request failed on its own, the circuit would not open when the server is not a primary. */
    @ParameterizedTest
    @MethodSource("binaries")
    void requestsForSeveralKeysInAScript_onAReplica_failTogether(Path binary) {
        Limits limits = Limits.parse("5/1h");
        List<List<PendingRequest>> groups = Stream.of("a", "b")
                .map(key -> List.of(new PendingRequest(0, List.of(Request.of("test", limits, key, 1)), 0, false, 0, 1)))
                .toList();
        List<Request> requests =
                groups.stream().map(group -> group.get(0).requests().get(0)).toList();
        try (RedisServer server = RedisServer.start(binary);
                RedisClient client = RedisClient.create(server.uri())) {
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(RedisServer.freePort()));
            RedisCommands<byte[], byte[]> redis =
                    client.connect(ByteArrayCodec.INSTANCE).sync();
            assertThatThrownBy(() -> redis.<byte[]>eval(
                            Script.DECIDE_LOGS.text(),
                            ScriptOutputType.VALUE,
                            new Keys("weir", null).of(requests),
                            PackedRequests.of(PackedRequests.SERVER_TIME, groups, false)))
                    .satisfies(error -> assertThat(Errors.isNotPrimary(error)).isTrue());
        }
    }
}
