package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisStoreTest {
    private static final long SECOND = 1_000_000; // of the server's time

    private static RedisServer server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;
    private static RedisStore store;

    private RedisCommands<String, String> redis;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        client = RedisClient.create(server.uri());
        connection = client.connect();
        store = RedisStore.builder(server.uri())
                .denialMemory(Duration.ZERO)
                .timeout(Duration.ofSeconds(5))
                .connect();
    }

    @AfterAll
    static void stop() {
        store.close();
        connection.close();
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void flush() {
        redis = connection.sync();
        redis.flushall();
    }

    private static Decision decide(String limits, String key) {
        return store.decide("test", Limits.parse(limits), key, 1);
    }

    private static Request request(String limits, String key, long permits) {
        return Request.of("test", Limits.parse(limits), key, permits);
    }

    @Test
    void severalLimits_manyGrants_keyExpires() {
        RateLimiter limiter = RateLimiter.builder()
                .name("two")
                .limit("100/1m")
                .limit("1000/1h")
                .store(store)
                .build();
        for (int i = 0; i < 50; i++) {
            assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        }

        assertThat(redis.pttl("weir:{two:key}")).isBetween(3_600_000L, 3_600_000L * 9 / 8 + 3_000);
    }

    @Test
    void decide_slidingLog_allowsItsPermits_thenStatesRetryAfter() {
        for (int i = 2; i >= 0; i--) {
            assertThat(decide("3/1m", "key").remaining()).isEqualTo(i);
        }

        Decision denied = decide("3/1m", "key");

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfterNanos())
                .isBetween(TimeUnit.SECONDS.toNanos(50), TimeUnit.SECONDS.toNanos(60) + 1_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed-window 1/1d", "fixed-window 1/1d align=first"})
    void reserve_moreThan64PendingWindows_isDeniedAsInMemory(String limits) {
        for (Store each : List.of(store, MemoryStore.create())) {
            List<Request> requests = List.of(request(limits, "key", 1));
            for (int i = 0; i < 64; i++) {
                assertThat(each.reserve(requests, TimeUnit.DAYS.toNanos(1_000))
                                .decision()
                                .allowed())
                        .as("%d under %s", i, each)
                        .isTrue();
            }
            assertThat(each.reserve(requests, TimeUnit.DAYS.toNanos(1_000))
                            .decision()
                            .allowed())
                    .isFalse();
        }
    }

    @Test
    void decide_oneRoundTrip() {
        decide("3/10s", "key");
        long before = server.calls("evalsha");
        long sent = server.calls("eval");
        for (int i = 0; i < 10; i++) {
            decide("3/10s", "key" + i % 2);
        }

        assertThat(server.calls("evalsha") - before).isEqualTo(10);
        assertThat(server.calls("eval")).isEqualTo(sent);
    }

    @Test
    void decide_scriptsFlushed_sendsThemAgain() {
        decide("2/10s", "key");
        redis.scriptFlush();

        assertThat(decide("2/10s", "key").remaining()).isZero();
        assertThat(decide("2/10s", "key").allowed()).isFalse();
    }

    @Test
    void peek_writesNothing() {
        assertThat(Blocking.peek(store, request("2/10s", "key", 1)).remaining()).isEqualTo(2);
        assertThat(redis.dbsize()).isZero();

        decide("2/10s", "key");
        byte[] before = redis.dump("weir:{test:key}");
        Blocking.peek(store, request("5/1s", "key", 1));

        assertThat(redis.dump("weir:{test:key}")).isEqualTo(before);
    }

    @Test
    void decide_denied_writesNothing() {
        decide("1/10s", "key");
        byte[] before = redis.dump("weir:{test:key}");
        decide("1/10s", "key");

        assertThat(redis.dump("weir:{test:key}")).isEqualTo(before);
    }

    @Test
    void state_expiresAfterPendingReservations() {
        StoreReservation reservation = null;
        for (int i = 0; i < 11; i++) {
            reservation = store.reserve(List.of(request("1/10s", "key", 1)), TimeUnit.MINUTES.toNanos(5));
        }
        assertThat(reservation.decision().waitNanos()).isGreaterThan(TimeUnit.SECONDS.toNanos(90));

        assertThat(redis.pttl("weir:{test:key}")).isBetween(100_000L, 126_000L);
        decide("token-bucket 10/1000s", "bucket"); // is full again after 100 s
        assertThat(redis.pttl("weir:{test:bucket}")).isBetween(90_000L, 116_000L);
    }

    /** A time source may be slower than the server's clock, by which keys expire. */
    @ParameterizedTest
    @ValueSource(strings = {"9/10s", "token-bucket 9/10s", "fixed-window 9/10s"})
    void state_withATimeSource_expiresAnHourLater(String limit) {
        AtomicLong now = new AtomicLong(1_000_000 * SECOND);
        try (RedisStore timed = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(5))
                .timeSource(() -> 1_000 * now.get())
                .connect()) {
            for (int i = 0; i < 9; i++) {
                now.addAndGet(SECOND);
                timed.decide("test", Limits.parse(limit), "key", 1);
                assertThat(redis.pttl("weir:{test:key}")).isBetween(3_590_000L, 3_700_000L);
            }
        }
    }

    @Test
    void reset_removesState_earlierReservationsRefundNothing() {
        StoreReservation before = store.reserve(List.of(request("1/10s", "key", 1)), 0);
        Blocking.reset(store, request("1/10s", "key", 1));
        assertThat(decide("1/10s", "key").allowed()).isTrue();

        before.refund(1);

        assertThat(decide("1/10s", "key").allowed()).isFalse();
    }

    @Test
    void block_denies_untilReset() {
        Blocking.block(store, request("5/1s", "key", 1), TimeUnit.MINUTES.toNanos(1));

        Decision blocked = decide("5/1s", "key");
        assertThat(blocked.allowed()).isFalse();
        assertThat(blocked.retryAfterNanos()).isGreaterThan(TimeUnit.SECONDS.toNanos(59));
        Blocking.reset(store, request("5/1s", "key", 1));
        assertThat(decide("5/1s", "key").allowed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"}", "{", "{}", "a}b", "}b", "line\nbreak", "\u0000", "ключ", ":", "test:key"})
    void key_anyText_isDistinct(String key) {
        decide("1/10s", "key");
        assertThat(decide("1/10s", key).allowed()).isTrue();
        assertThat(decide("1/10s", key).allowed()).isFalse();
        assertThat(store.decide("other", Limits.parse("1/10s"), key, 1).allowed())
                .isTrue();
    }

    @Test
    void key_oneKibibyte_isAccepted() {
        String key = "k".repeat(1023);

        assertThat(decide("1/10s", key + "a").allowed()).isTrue();
        assertThat(decide("1/10s", key + "b").allowed()).isTrue();
        assertThat(decide("1/10s", key + "a").allowed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "100/1m, 96",
        "sliding-window 100/1m, 96",
        "fixed-window 100/1m, 120",
        "token-bucket 100/1m, 136",
        "leaky-bucket 100/1m, 136",
        "gcra 100/1m, 136"
    })
    void memory_oneEntry_isSmall(String limit, long bytes) {
        store.decide("a", Limits.parse(limit), "b", 1);

        assertThat(memoryUsage("weir:{a:b}")).isLessThanOrEqualTo(bytes);
    }

    private long bytes(String key) {
        return memoryUsage("weir:{test:" + key + "}") + memoryUsage("weir:{test:" + key + "}b");
    }

    /** SAMPLES 0 counts every field of a hash; by default the server extrapolates from five fields. */
    private long memoryUsage(String name) {
        Long bytes = redis.eval(
                "return redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0)", ScriptOutputType.INTEGER, name);
        return bytes == null ? 0 : bytes;
    }

    @Test
    void memory_oneMillionPerSecond_isBoundedByTheNumberOfTicks() {
        AtomicLong now = new AtomicLong(1_700_000_000 * SECOND);
        try (RedisStore timed = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(5))
                .timeSource(() -> 1_000 * now.get())
                .connect()) {
            for (int i = 0; i < 1_000; i++) {
                now.addAndGet(SECOND / 1_000);
                assertThat(timed.decide("test", Limits.parse("1000000/1s resolution=1ms"), "key", 1_000)
                                .allowed())
                        .isTrue();
            }
            assertThat(timed.decide("test", Limits.parse("1000000/1s resolution=1ms"), "key", 1)
                            .allowed())
                    .isFalse();
        }

        assertThat(bytes("key")).isLessThan(20_000);
    }

    @Test
    void memory_largeLog_isFewBytesPerEntry() {
        int entries = 5_000;
        long now = 1_700_000_000 * SECOND;
        Request one = request("1000000/1m resolution=1us", "key", 1);
        try (var connection = client.connect(ByteArrayCodec.INSTANCE)) {
            long last = RepeatedScript.decide(connection.sync(), one, entries, now, 60);
            try (RedisStore timed = RedisStore.builder(server.uri())
                    .timeout(Duration.ofSeconds(5))
                    .timeSource(() -> 1_000 * last)
                    .connect()) {
                assertThat(Blocking.peek(timed, one).remaining()).isEqualTo(1_000_000 - entries);
            }
        }

        assertThat((double) bytes("key") / entries).isLessThan(3.5);
    }

    @Test
    void decide_heavyRequests_areCountedAmongLightOnes() {
        AtomicLong now = new AtomicLong(1_700_000_000 * SECOND);
        long remaining = 100_000_000;
        try (RedisStore timed = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(5))
                .timeSource(() -> 1_000 * now.get())
                .connect()) {
            for (int i = 0; i < 100; i++) {
                now.addAndGet(SECOND / 10);
                long permits = i % 30 == 29 ? 30_000_000 : 1;
                remaining -= permits;
                StoreReservation reservation = timed.reserve(List.of(request("100000000/1m", "key", permits)), 0);
                assertThat(reservation.decision().remaining()).isEqualTo(remaining);
                if (i % 10 == 0) {
                    reservation.refund(1);
                    remaining++;
                }
            }
            Decision denied = timed.reserve(List.of(request("100000000/1m", "key", 30_000_000)), 0)
                    .decision();
            assertThat(denied.retryAfterNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(60_000 - 7_000));
            now.addAndGet(60 * SECOND);
            assertThat(Blocking.peek(timed, request("100000000/1m", "key", 1)).remaining())
                    .isEqualTo(100_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void timeSource_beyondTheServersNumbers_isRejected(long nanos) {
        try (RedisStore timed =
                RedisStore.builder(server.uri()).timeSource(() -> nanos).connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("time")
                    .limit("2/1s")
                    .store(timed)
                    .build();

            assertThatThrownBy(() -> limiter.tryAcquire("key"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("time must be from 0 to 4503599627370496 microseconds on Redis");
        }
    }

    /** The server's clock goes backwards by up to ten windows: the limit holds, and no request waits for the clock to catch up. */
    @ParameterizedTest
    @ValueSource(strings = {"5/10s", "5/10s margin=1s", "sliding-window 5/10s buckets=5"})
    void clock_goesBackwards_limitHolds_andWaitsAreBounded(String limit) {
        long window = 10 * SECOND;
        AtomicLong now = new AtomicLong();
        try (RedisStore timed = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(5))
                .scriptTime(() -> PackedRequests.time(now.get()))
                .denialMemory(Duration.ZERO)
                .connect()) {
            for (int seed = 0; seed < 20; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                now.set(1_700_000_000 * SECOND);
                List<Long> granted = new ArrayList<>();
                for (int i = 0; i < 150; i++) {
                    boolean back = random.nextInt(12) == 0;
                    now.addAndGet(back ? -random.nextLong(10 * window) : random.nextLong(window / 5));
                    long maxWait = random.nextInt(5) == 0 ? 2_000 * window : 0;
                    StoreReservation reservation =
                            timed.reserve(List.of(request(limit, "backwards" + seed, 1)), maxWait);
                    Decision decision = reservation.decision();
                    if (decision.allowed()) {
                        granted.add(Trace.instantMicros(reservation));
                    }
                    assertThat(decision.retryAfterNanos()).isLessThanOrEqualTo(4_000 * window);
                }
                for (long end : granted) {
                    assertThat(granted.stream()
                                    .filter(at -> at > end - window && at <= end)
                                    .count())
                            .as("seed %s, up to %s", seed, end)
                            .isLessThanOrEqualTo(5);
                }
                assertThat(granted).hasSizeGreaterThan(35);
            }
        }
    }
}
