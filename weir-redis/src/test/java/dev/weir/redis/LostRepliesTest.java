package dev.weir.redis;

import static dev.weir.redis.Blocking.answers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server has run a script, and the reply is lost, cut off or late. */
final class LostRepliesTest {
    private static final Limits LIMITS = Limits.parse("1000/1h");
    private static final Duration TIMEOUT = Duration.ofSeconds(1); // long enough for a busy machine

    private static RedisServer server;
    private static RedisStore direct;

    private Proxy proxy;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        direct = RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect();
        Await.until("a connection", () -> answers(direct));
    }

    @AfterAll
    static void stop() {
        direct.close();
        server.close();
    }

    @BeforeEach
    void open() {
        server.command("FLUSHALL");
        proxy = new Proxy(server);
    }

    @AfterEach
    void shut() {
        proxy.close();
    }

    private RedisStore connect() {
        return connect(proxy);
    }

    private static RedisStore connect(Proxy to) {
        return RedisStore.builder(to.uri()).timeout(TIMEOUT).connect();
    }

    private static Request request(String key) {
        return Request.of("test", LIMITS, key, 1);
    }

    /** Returns the number of permits that the server has granted. */
    private static long used(String key) {
        return 1_000 - Blocking.peek(direct, request(key)).remaining();
    }

    private static boolean allowed(RedisStore store, String key) {
        try {
            return store.decide("test", LIMITS, key, 1).allowed();
        } catch (StoreException failure) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(Proxy.Fate.class)
    void lost_grantedOnce_andServesAgain(Proxy.Fate fate) {
        try (RedisStore store = connect()) {
            assertLostReplyGrantsOnce(store, fate);
        }
    }

    /** By default, Lettuce sends commands without a reply again after a reconnect. */
    @ParameterizedTest
    @EnumSource(Proxy.Fate.class)
    void lost_withAClientOfTheUser_grantedOnce(Proxy.Fate fate) {
        RedisClient client = RedisClient.create(proxy.uri());
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(TIMEOUT).client(client).connect()) {
            assertLostReplyGrantsOnce(store, fate);
        } finally {
            client.shutdown();
        }
    }

    private void assertLostReplyGrantsOnce(RedisStore store, Proxy.Fate fate) {
        int rounds = 3;
        Await.until("a connection", () -> answers(store));
        assertThat(store.decide("test", LIMITS, "key", 1).allowed()).isTrue();
        long sent = proxy.sent("{test:key}");
        for (int i = 1; i <= rounds; i++) {
            proxy.next(fate, 1);
            long start = System.nanoTime();
            assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT.multipliedBy(20));
            proxy.cut();
            Await.until("recovery", () -> answers(store));
            assertThat(used("key")).isEqualTo(1 + i);
            assertThat(proxy.sent("{test:key}") - sent).isEqualTo(i);
        }
    }

    /** Nothing cuts the connection: the store has to replace it. */
    @Test
    void muteConnection_isReplaced() {
        try (RedisStore store = connect()) {
            Await.until("a connection", () -> answers(store));
            proxy.next(Proxy.Fate.MUTE, 1);
            assertThat(allowed(store, "key")).isFalse();

            Await.until("recovery", () -> answers(store));
            assertThat(used("key")).isEqualTo(1);
        }
    }

    @Test
    void late_reservation_isRefunded() {
        try (RedisStore store = connect()) {
            Await.until("a connection", () -> answers(store));
            Limits narrow = Limits.parse("1/1h");
            Request request = Request.of("test", narrow, "key", 1);
            store.reserve(List.of(request), 0);

            proxy.hold();
            long maxWait = Duration.ofHours(5).toNanos();
            assertThatThrownBy(() -> store.reserve(List.of(request), maxWait)).isInstanceOf(StoreException.class);
            Await.until(
                    "a reservation",
                    () -> Blocking.peek(direct, request).retryAfterNanos()
                            > Duration.ofMinutes(70).toNanos());
            proxy.release();

            Await.until(
                    "a refund of the late grants",
                    () -> Blocking.peek(direct, request).retryAfterNanos()
                            < Duration.ofMinutes(70).toNanos());
        }
    }

    @Test
    void late_jointReservation_isRefunded_onEveryKey() {
        try (RedisStore store = connect()) {
            Await.until("a connection", () -> answers(store));
            store.reserve(List.of(request("one"), request("two")), 0);

            proxy.hold();
            assertThatThrownBy(() -> store.reserve(List.of(request("one"), request("two")), 0))
                    .isInstanceOf(StoreException.class);
            Await.until("a reservation", () -> used("one") == 2 && used("two") == 2);
            proxy.release();

            Await.until("a refund of the late grants", () -> used("one") == 1 && used("two") == 1);
        }
    }

    @Test
    void slow_twoRepliesLate_bothAreRefunded_andRecovers() {
        try (RedisStore store = connect()) {
            Await.until("a connection", () -> answers(store));

            proxy.delay(TIMEOUT.multipliedBy(4)); // in which less time passes for a process that is paused
            for (int i = 0; i < 2; i++) {
                assertThat(allowed(store, "key")).isFalse();
            }
            proxy.delay(Duration.ZERO);

            Await.until("recovery", () -> answers(store));
            Await.until("a refund of the late grants", () -> used("key") == 0);
        }
    }

    @Test
    void longTimeout_slowReplies_areUsed() {
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(Await.TIMEOUT).connect()) {
            Await.until("a connection", () -> answers(store));
            proxy.delay(Duration.ofMillis(250));

            assertThat(store.decide("test", LIMITS, "key", 1).allowed()).isTrue();
            assertThat(used("key")).isEqualTo(1);
        }
    }

    @Test
    void connectionRefused_thenAccepted_serves() {
        proxy.refuse();
        try (RedisStore store = connect()) {
            assertThat(allowed(store, "key")).isFalse();
            proxy.accept();
            Await.until("recovery", () -> answers(store));
            assertThat(allowed(store, "key")).isTrue();
        }
    }

    /** Two stores in turn: while the circuit of one stays open, the other one loses replies. */
    @Test
    void lostAtRandom_underLoad_noWindowIsOverfull() {
        String limit = "100/300ms resolution=1us";
        SplittableRandom random = new SplittableRandom(1);
        try (Proxy otherProxy = new Proxy(server);
                RedisStore store = connect();
                RedisStore otherStore = connect(otherProxy);
                Hammer hammer = new Hammer(store, limit, 2, "a", "b");
                Hammer otherHammer = new Hammer(otherStore, limit, 2, "a", "b")) {
            for (int i = 0; i < 8; i++) {
                loseAtRandom(hammer, proxy, random);
                loseAtRandom(otherHammer, otherProxy, random);
            }
            Trace trace = new Trace();
            for (Hammer each : List.of(hammer, otherHammer)) {
                each.awaitPermits(100);
                each.stop();
                trace.addAll(each.trace());
            }
            trace.assertHolds(Limit.parse(limit));
        }
    }

    private static void loseAtRandom(Hammer hammer, Proxy proxy, SplittableRandom random) {
        hammer.awaitAnswers(random.nextInt(100));
        proxy.next(random.nextInt(2) == 0 ? Proxy.Fate.MUTE : Proxy.Fate.CUT, 1 + random.nextInt(3));
        hammer.awaitFailures(hammer.failures() + 1);
        proxy.pass();
        proxy.cut();
    }
}
