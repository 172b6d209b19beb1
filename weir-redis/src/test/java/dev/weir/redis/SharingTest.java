package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.StoreReservation;
import dev.weir.store.StoreStatistics;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that share scripts, and cached denials: fewer scripts run, and decisions stay the same. */
final class SharingTest {
    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<String, String> redis;

    private RedisStore store;
    private long scriptsAtStart;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        client = RedisClient.create(server.uri());
        redis = client.connect().sync();
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void connect() {
        redis.flushall();
        store = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(10))
                .denialMemory(Duration.ofMinutes(1))
                .connect();
        scriptsAtStart = scripts();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Request request(String limits, String key, long permits) {
        return Request.of("test", Limits.parse(limits), key, permits);
    }

    private Decision decide(String limits, long permits) {
        return store.decide("test", Limits.parse(limits), "key", permits);
    }

    private static long scripts() {
        return server.calls("eval") + server.calls("evalsha");
    }

    private List<CompletableFuture<StoreReservation>> reserveAll(int calls, String limits, String... keys) {
        List<CompletableFuture<StoreReservation>> futures = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            futures.add(store.reserveAsync(List.of(request(limits, keys[i % keys.length], 1)), 0));
        }
        return futures;
    }

    @Test
    void statistics_manyCalls_countRequestsAndRoundTrips() {
        StoreStatistics before = store.statistics();

        Futures.join(
                CompletableFuture.allOf(reserveAll(500, "1000/1m", "a", "b").toArray(CompletableFuture[]::new)));

        StoreStatistics after = store.statistics();
        long trips = after.roundTrips() - before.roundTrips();
        assertThat(after.requests() - before.requests()).isEqualTo(500);
        assertThat(trips).isBetween(1L, 500L).isEqualTo(scripts() - scriptsAtStart);
        assertThat(after.roundTripNanos()).isGreaterThanOrEqualTo(after.longestRoundTripNanos());
        assertThat(after.longestRoundTripNanos()).isPositive();
        assertThat(after.callsInFlight()).isZero();
        assertThat(after.keys()).isEmpty();
    }

    @Test
    void oneKey_manyCalls_shareScripts_inOrderOfArrival() {
        long before = scripts();

        List<CompletableFuture<StoreReservation>> futures = reserveAll(1_000, "600/1h", "key");

        for (int i = 0; i < futures.size(); i++) {
            Decision decision = futures.get(i).join().decision();
            assertThat(decision.allowed()).as("call %d", i).isEqualTo(i < 600);
            assertThat(decision.remaining()).as("call %d", i).isEqualTo(Math.max(0, 599 - i));
        }
        assertThat(scripts() - before).isLessThan(200);
    }

    @Test
    void manyKeys_manyCalls_shareScripts_eachKeyIsDecidedOnItsOwn() {
        String[] keys = new String[50];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "key " + i;
        }
        long before = scripts();

        List<CompletableFuture<StoreReservation>> futures = reserveAll(1_000, "10/1h", keys);

        for (int i = 0; i < futures.size(); i++) {
            assertThat(futures.get(i).join().decision().allowed())
                    .as("call %d", i)
                    .isEqualTo(i < 500);
        }
        assertThat(scripts() - before).isLessThan(500);
    }

    @Test
    void oneKey_requestsDiffer_eachHasItsOwnDecision() {
        CompletableFuture<StoreReservation> three = store.reserveAsync(List.of(request("5/1h", "key", 3)), 0);
        CompletableFuture<StoreReservation> four = store.reserveAsync(List.of(request("5/1h", "key", 4)), 0);
        CompletableFuture<StoreReservation> waiting =
                store.reserveAsync(List.of(request("5/1h", "key", 3)), TimeUnit.HOURS.toNanos(2));
        CompletableFuture<StoreReservation> raised = store.reserveAsync(List.of(request("9/1h", "key", 2)), 0);

        assertThat(three.join().decision().allowed()).isTrue();
        assertThat(four.join().decision().allowed()).isFalse();
        assertThat(four.join().decision().remaining()).isEqualTo(2);
        assertThat(waiting.join().decision().waitNanos()).isGreaterThan(TimeUnit.MINUTES.toNanos(59));
        assertThat(raised.join().decision().allowed()).isTrue();
    }

    @Test
    void oneKey_otherLimitsAndJointRequests_shareScripts_inOrderOfArrival() {
        List<CompletableFuture<StoreReservation>> futures = new ArrayList<>();
        long before = scripts();
        for (int i = 0; i < 300; i++) {
            Request request = request(i % 3 == 0 ? "200/1h" : "250/1h", "key", 1);
            Request other = request("1000/1h", "other", 1);
            futures.add(store.reserveAsync(i % 3 == 2 ? List.of(request, other) : List.of(request), 0));
        }

        for (int i = 0; i < futures.size(); i++) {
            assertThat(futures.get(i).join().decision().allowed())
                    .as("call %d", i)
                    .isEqualTo(i < 200 || (i % 3 > 0 && granted(futures, i) < 250));
        }
        assertThat(scripts() - before).isLessThan(100);
    }

    private static long granted(List<CompletableFuture<StoreReservation>> futures, int before) {
        return futures.subList(0, before).stream()
                .filter(future -> future.join().decision().allowed())
                .count();
    }

    @Test
    void oneKey_reservationsOfOneScript_areRefundedIndependently() {
        List<StoreReservation> reservations = new ArrayList<>();
        reserveAll(4, "4/1h", "key").forEach(future -> reservations.add(future.join()));

        reservations.get(1).refund(1);
        reservations.get(3).refund(1);

        assertThat(decide("4/1h", 1).remaining()).isEqualTo(1);
    }

    @Test
    void denied_isCached_forAsManyPermitsOrMore() {
        assertThat(decide("5/1h", 3).allowed()).isTrue();
        Decision first = decide("5/1h", 3);
        assertThat(first.allowed()).isFalse();
        long before = scripts();

        for (int i = 0; i < 100; i++) {
            Decision denied = decide("5/1h", 3 + i % 2);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.limit()).isEqualTo(first.limit());
            assertThat(denied.remaining()).isEqualTo(2);
            assertThat(denied.retryAfterNanos()).isBetween(1L, first.retryAfterNanos());
            assertThat(denied.resetAfterNanos()).isBetween(1L, first.resetAfterNanos());
        }
        assertThat(scripts()).isEqualTo(before);

        assertThat(decide("5/1h", 2).allowed()).isTrue();
        assertThat(scripts()).isEqualTo(before + 1);
    }

    @Test
    void denied_moreThanTheLimitEverGrants_isNever() {
        decide("5/1h", 5);
        assertThat(decide("5/1h", 1).never()).isFalse();
        assertThat(decide("5/1h", 5).never()).isFalse();
        assertThat(decide("5/1h", 6).never()).isTrue();
    }

    @Test
    void denied_otherLimits_areDecidedByTheServer() {
        decide("1/1h", 1);
        assertThat(decide("1/1h", 1).allowed()).isFalse();
        assertThat(decide("2/1h", 1).allowed()).isTrue();
    }

    @Test
    void denied_waitsThatMayEndInTime_areDecidedByTheServer() {
        decide("1/1h", 1);
        assertThat(decide("1/1h", 1).allowed()).isFalse();
        long before = scripts();

        assertThat(store.reserve(List.of(request("1/1h", "key", 1)), TimeUnit.MINUTES.toNanos(1))
                        .decision()
                        .allowed())
                .isFalse();
        assertThat(scripts()).isEqualTo(before);
        assertThat(store.reserve(List.of(request("1/1h", "key", 1)), TimeUnit.HOURS.toNanos(2))
                        .decision()
                        .allowed())
                .isTrue();
    }

    @Test
    void denied_resetOrRefundedHere_isNoLongerCached() {
        StoreReservation reservation = store.reserve(List.of(request("1/1h", "key", 1)), 0);
        assertThat(decide("1/1h", 1).allowed()).isFalse();
        reservation.refund(1);
        assertThat(decide("1/1h", 1).allowed()).isTrue();
        assertThat(decide("1/1h", 1).allowed()).isFalse();
        Blocking.reset(store, request("1/1h", "key", 1));
        assertThat(decide("1/1h", 1).allowed()).isTrue();
    }

    @Test
    void denied_resetElsewhere_isSeenAfterTheDenialMemory() {
        long memory = TimeUnit.MILLISECONDS.toNanos(200);
        try (RedisStore other = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(10))
                .denialMemory(Duration.ofNanos(memory))
                .connect()) {
            Limits limits = Limits.parse("1/1h");
            other.decide("test", limits, "key", 1);
            long sent = System.nanoTime();
            assertThat(other.decide("test", limits, "key", 1).allowed()).isFalse();
            long denied = System.nanoTime();
            redis.flushall();
            boolean allowed = false;
            while (!allowed && System.nanoTime() - denied < 100 * memory) {
                allowed = other.decide("test", limits, "key", 1).allowed();
            }
            assertThat(allowed).isTrue();
            assertThat(System.nanoTime() - sent).isGreaterThan(memory);
        }
    }

    @Test
    void denied_attempts_areCountedByTheServer() {
        decide("1/1h count=attempts", 1);
        long before = scripts();
        decide("1/1h count=attempts", 1);
        decide("1/1h count=attempts", 1);
        assertThat(scripts()).isEqualTo(before + 2);
    }

    @Test
    void denialMemory_off_everyRequestIsSent() {
        try (RedisStore plain = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(10))
                .denialMemory(Duration.ZERO)
                .connect()) {
            Limits limits = Limits.parse("1/1h");
            long before = scripts();
            for (int i = 0; i < 5; i++) {
                plain.decide("test", limits, "key", 1);
            }
            assertThat(scripts() - before).isEqualTo(5);
        }
    }

    @Test
    void denied_cachedDenial_endsAtTheTimeOfRedis() {
        Limits limits = Limits.parse("1/100ms");
        long before = scripts();
        long start = System.nanoTime();
        long latest = start;
        long leastNanos = Long.MAX_VALUE; // between two grants; a busy machine delays some
        int allowed = 0;
        while (allowed < 20 || (allowed < 200 && leastNanos >= TimeUnit.MILLISECONDS.toNanos(120))) {
            if (store.decide("test", limits, "key", 1).allowed()) {
                long now = System.nanoTime();
                leastNanos = allowed == 0 ? leastNanos : Math.min(leastNanos, now - latest);
                latest = now;
                allowed++;
            }
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(latest - start)).isGreaterThanOrEqualTo((allowed - 1) * 100L);
        assertThat(TimeUnit.NANOSECONDS.toMillis(leastNanos)).isLessThan(120);
        assertThat(scripts() - before).isLessThan(10L * allowed);
    }
}
