package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Notifications of a store's listeners. */
final class EventsTest extends ProxiedServerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private RateLimiter limiter(RedisStore store) {
        return RateLimiter.builder()
                .name("test")
                .limit("100/1h")
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .build();
    }

    private RateLimiter connected(RedisStore store) {
        RateLimiter limiter = limiter(store);
        Await.until("a connection", () -> !limiter.tryAcquire("probe").degraded());
        return limiter;
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("an event within 20 s").isNotNull();
        return next;
    }

    private void loseConnection(RateLimiter limiter) {
        proxy.refuse();
        proxy.cut();
        Await.until("the lost connection", () -> limiter.tryAcquire("probe").degraded());
    }

    @Test
    void storeUp_listenerCallsALimiter_redisAnswers() throws Exception {
        BlockingQueue<Decision> decided = new LinkedBlockingQueue<>();
        AtomicReference<RateLimiter> limiter = new AtomicReference<>();
        List<String> threads = new CopyOnWriteArrayList<>();
        StoreListener listener = new StoreListener() {
            @Override
            public void storeDown(StoreException failure) {
                threads.add(Thread.currentThread().getName());
            }

            @Override
            public void storeUp() {
                threads.add(Thread.currentThread().getName());
                decided.add(limiter.get().tryAcquire("x"));
            }
        };
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(TIMEOUT)
                .listener(listener)
                .connect()) {
            limiter.set(limiter(store));
            Await.until("a connection", () -> !limiter.get().tryAcquire("probe").degraded());
            loseConnection(limiter.get());
            proxy.accept();

            Decision decision = next(decided);
            assertThat(decision.degraded()).isFalse();
            assertThat(decision.remaining()).isEqualTo(99);
            assertThat(threads).containsOnly("weir-redis-events");
        }
    }

    /** The action of a listener for a lost refund. */
    private interface Loss {
        void lost(String limiter, String key, StoreException failure);
    }

    private static StoreListener whenRefundLost(Loss loss) {
        return new StoreListener() {
            @Override
            public void refundLost(String limiter, String key, StoreException failure) {
                loss.lost(limiter, key, failure);
            }
        };
    }

    @Test
    void refund_redisIsDown_listenersAreNotified() throws Exception {
        BlockingQueue<String> lost = new LinkedBlockingQueue<>();
        StoreListener throwing = whenRefundLost((limiter, key, failure) -> {
            throw new IllegalStateException("listener");
        });
        StoreListener recording = whenRefundLost((limiter, key, failure) -> lost.add(limiter + " " + key));
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(TIMEOUT)
                .listener(throwing)
                .listener(recording)
                .connect()) {
            RateLimiter limiter = connected(store);
            Reservation one = limiter.reserve("one", 3, Duration.ZERO);
            Reservation two = limiter.reserve("two", 3, Duration.ZERO);
            Reservation three =
                    RateLimiter.reserveAll(Duration.ZERO, limiter.request("whole", 1), limiter.request("part", 2));
            one.refund(1);
            three.refund(1);
            Await.until("the first refund", () -> limiter.peek("one").remaining() == 98);
            Await.until("the second refund", () -> limiter.peek("whole").remaining() == 100);
            loseConnection(limiter);

            assertThat(one.cancel()).isTrue();
            two.refund(1);
            assertThat(three.cancel()).isTrue();
            assertThat(List.of(next(lost), next(lost), next(lost)))
                    .containsExactly("test one", "test two", "test part");

            proxy.accept();
            Await.until("recovery", () -> !limiter.tryAcquire("probe").degraded());
            assertThat(limiter.peek("one").remaining())
                    .as("only the first refund counts")
                    .isEqualTo(98);
            assertThat(limiter.peek("two").remaining()).isEqualTo(97);
            two.refund(1);
            Await.until("the refund", () -> limiter.peek("two").remaining() == 98);
            assertThat(lost).isEmpty();
        }
    }

    @Test
    void refund_answeredLate_isNotLost() {
        List<String> lost = new CopyOnWriteArrayList<>();
        StoreListener listener = whenRefundLost((limiter, key, failure) -> lost.add(key));
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Duration.ofSeconds(1))
                .listener(listener)
                .connect()) {
            RateLimiter limiter = connected(store);
            Reservation reservation = limiter.reserve("key", 3, Duration.ZERO);
            assertThat(reservation.decision().degraded()).isFalse();
            proxy.hold();
            assertThat(reservation.cancel()).isTrue();
            assertThat(limiter.tryAcquire("probe").degraded()).isTrue(); // waits for the timeout of both
            proxy.release();

            Await.until(
                    "an answer after that of the refund",
                    () -> !limiter.tryAcquire("probe").degraded());
            assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(99);
            assertThat(lost).isEmpty();
        }
    }

    @Test
    void refund_isNotAnswered_reportsItsTimeout() throws Exception {
        BlockingQueue<String> lost = new LinkedBlockingQueue<>();
        StoreListener listener = whenRefundLost((limiter, key, failure) -> lost.add(failure.getMessage()));
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Duration.ofSeconds(2))
                .listener(listener)
                .connect()) {
            RateLimiter limiter = connected(store);
            Reservation reservation = limiter.reserve("key", 3, Duration.ZERO);
            assertThat(reservation.decision().degraded()).isFalse();
            proxy.hold();
            assertThat(reservation.cancel()).isTrue();

            assertThat(lost.poll(20, TimeUnit.SECONDS)).isEqualTo("Redis did not answer within 3000 ms");
        }
    }

    @Test
    void listener_blocks_decisionsContinue() throws Exception {
        BlockingQueue<String> released = new LinkedBlockingQueue<>();
        StoreListener blocking = new StoreListener() {
            @Override
            public void storeDown(StoreException failure) {
                try {
                    var unused = released.poll(1, TimeUnit.MINUTES);
                } catch (InterruptedException interrupt) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(TIMEOUT)
                .listener(blocking)
                .connect()) {
            RateLimiter limiter = connected(store);
            loseConnection(limiter);
            proxy.accept();
            Await.until("recovery", () -> !limiter.tryAcquire("probe").degraded());
        } finally {
            released.add("continue");
        }
    }

    @Test
    void noListener_downAndUpAreLogged() throws Exception {
        try (LogLines log = new LogLines("dev.weir.redis");
                RedisStore store =
                        RedisStore.builder(proxy.uri()).timeout(TIMEOUT).connect()) {
            RateLimiter limiter = connected(store);
            log.lines().clear();
            loseConnection(limiter);
            proxy.accept();
            assertThat(next(log.lines())).startsWith("WARNING ");
            assertThat(next(log.lines())).startsWith("INFO ");
        }
    }

    /** The reason is known when the first attempt ends; until then, calls do not open the circuit. */
    @Test
    void firstConnection_isNotAnswered_logStatesAddressAndReason() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LogLines log = new LogLines("dev.weir.redis");
                RedisStore store = RedisStore.builder("redis://127.0.0.1:" + silent.getLocalPort())
                        .timeout(Duration.ofSeconds(2))
                        .connect()) {
            assertThat(limiter(store).tryAcquire("key").degraded()).isTrue();

            assertThat(next(log.lines()))
                    .matches("WARNING Redis cannot be reached at 127.0.0.1:" + silent.getLocalPort() + ": .+");
        }
    }

    /** Repeated failures are logged at intervals, but one that lasts is always logged. */
    @Test
    void lostAgainAtOnce_logEndsWithAWarning() {
        try (LogLines log = new LogLines("dev.weir.redis");
                RedisStore store =
                        RedisStore.builder(proxy.uri()).timeout(TIMEOUT).connect()) {
            RateLimiter limiter = connected(store);
            loseConnection(limiter);
            proxy.accept();
            Await.until("recovery", () -> !limiter.tryAcquire("probe").degraded());
            Await.until("the line", () -> log.lines().stream().anyMatch(line -> line.startsWith("INFO ")));
            log.lines().clear();
            loseConnection(limiter);

            Await.until("a warning", () -> log.lines().stream().anyMatch(line -> line.startsWith("WARNING ")));
            assertThat(limiter.tryAcquire("probe").degraded()).isTrue();
        }
    }

    /** Without the log line, operators would not notice that limits are no longer shared. */
    @Test
    void redisRejectsAllCalls_isLoggedOnce_isNoOutage() {
        List<String> events = new CopyOnWriteArrayList<>();
        StoreListener listener = new StoreListener() {
            @Override
            public void storeDown(StoreException failure) {
                events.add("down");
            }
        };
        try (LogLines log = new LogLines("dev.weir.redis");
                RedisStore store = RedisStore.builder(proxy.uri())
                        .timeout(TIMEOUT)
                        .listener(listener)
                        .connect()) {
            RateLimiter limiter = connected(store);
            log.lines().clear();
            events.clear();
            server.command("CONFIG", "SET", "maxmemory", "1");
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.tryAcquire("key").degraded()).isTrue();
            }
            Await.until("the line", () -> !log.lines().isEmpty());
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING ")
                    .contains("Redis refused: OOM");
            assertThat(events).isEmpty();
        }
    }

    @Test
    void passwordChangedAndConnectionLost_logHasTheReason() throws Exception {
        try (LogLines log = new LogLines("dev.weir.redis");
                RedisStore store =
                        RedisStore.builder(proxy.uri()).timeout(TIMEOUT).connect()) {
            connected(store);
            log.lines().clear();
            server.command("CONFIG", "SET", "requirepass", "changed");
            proxy.cut();
            assertThat(next(log.lines())).contains("was lost; limiters follow");
            assertThat(next(log.lines())).contains("was lost; still unavailable: NOAUTH");
        }
    }

    @Test
    void redisRejectsAPartOfABatch_isLogged() throws Exception {
        try (LogLines log = new LogLines("dev.weir.redis");
                RedisStore store =
                        RedisStore.builder(proxy.uri()).timeout(TIMEOUT).connect()) {
            RateLimiter limiter = connected(store);
            log.lines().clear();
            server.command("LPUSH", "weir:{test:key}", "of another program");
            assertThat(RateLimiter.tryAcquireAll(limiter.request("key", 1), limiter.request("other", 1))
                            .degraded())
                    .isTrue();
            assertThat(next(log.lines())).contains("Redis refused: WRONGTYPE");
        }
    }
}
