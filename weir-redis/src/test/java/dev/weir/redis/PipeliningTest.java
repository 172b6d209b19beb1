package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.LimiterListener;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that are sent while others are in flight. */
final class PipeliningTest extends ProxiedServerTest {
    private static final int SMALLEST_BURST = 13_000;
    private static final int LARGEST_BURST = 64 * SMALLEST_BURST;
    private static final int KEYS_OF_A_BURST = 120;

    private static Request request(String limits, String key) {
        return Request.of("test", Limits.parse(limits), key, 1);
    }

    private static List<Thread> threads(int count, Runnable body) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(body);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    /** The timeout is shorter than two round trips, as with a round trip of 30 ms and the default timeout. */
    @Test
    void roundTripAboveHalfTheTimeout_fewCallers_nothingIsDegraded() throws Exception {
        proxy.delay(Duration.ofMillis(1_600));
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(Duration.ofSeconds(3)).connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("test")
                    .limit("1000000/1s")
                    .store(store)
                    .whenStoreFails(FailurePolicy.closed())
                    .build();
            Await.until("a connection", () -> !limiter.tryAcquire("first").degraded());
            // A busy machine delays some of these calls; a fault delays some of each attempt.
            List<Decision> decisions = decideTogether(limiter);
            for (int attempt = 1; attempt < 3 && decisions.stream().anyMatch(Decision::degraded); attempt++) {
                Await.until("recovery", () -> !limiter.tryAcquire("first").degraded());
                decisions = decideTogether(limiter);
            }
            assertThat(decisions).hasSize(48).noneMatch(Decision::degraded);
        }
    }

    /** Requests permits three times on each of 16 threads, half of them for one key. */
    private static List<Decision> decideTogether(RateLimiter limiter) throws InterruptedException {
        Queue<Decision> decisions = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = threads(16, () -> {
            String key = next.incrementAndGet() % 2 == 0 ? "hot" : "key " + next.get();
            for (int i = 0; i < 3; i++) {
                decisions.add(limiter.tryAcquire(key));
            }
        });
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(decisions);
    }

    /** With one script of 256 requests in flight, this would take 16 round trips. */
    @Test
    void oneKey_manyCalls_needFewRoundTrips() {
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(Await.TIMEOUT).connect()) {
            assertThat(store.decide("test", Limits.parse("4000/1h"), "key", 1).allowed())
                    .isTrue();
            proxy.delay(Duration.ofMillis(500));
            long start = System.nanoTime();
            List<CompletableFuture<StoreReservation>> pending = new ArrayList<>();
            for (int i = 1; i < 4_096; i++) {
                pending.add(store.reserveAsync(List.of(request("4000/1h", "key")), 0));
            }
            for (int i = 1; i < 4_096; i++) {
                assertThat(pending.get(i - 1).join().decision().remaining())
                        .as("call %d", i)
                        .isEqualTo(Math.max(0, 3_999 - i));
            }
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(7));
        }
    }

    @Test
    void jointRequests_shareScripts_inOrderOfArrival() {
        try (RedisStore store =
                RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect()) {
            long before = server.calls("evalsha");
            List<CompletableFuture<StoreReservation>> joint = new ArrayList<>();
            List<CompletableFuture<StoreReservation>> single = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                joint.add(store.reserveAsync(
                        List.of(request("10000/1h", "tenant"), request("100/1h", "user " + i % 20)), 0));
                if (i % 100 == 99) {
                    single.add(store.reserveAsync(List.of(request("10000/1h", "tenant")), 0));
                }
            }
            for (int i = 0; i < 400; i++) {
                Decision decision = joint.get(i).join().decision();
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.statuses().get(0).remaining())
                        .as("tenant, request %d", i)
                        .isEqualTo(10_000 - i - i / 100 - 1);
                assertThat(decision.statuses().get(1).remaining())
                        .as("user, request %d", i)
                        .isEqualTo(99 - i / 20);
            }
            for (int i = 0; i < 4; i++) {
                assertThat(single.get(i).join().decision().remaining()).isEqualTo(9_899 - 101 * i);
            }
            assertThat(server.calls("evalsha") - before).isLessThan(150);
        }
    }

    /** Bursts that grow until the last request of one waits for longer than the timeout. */
    @Test
    void burstOfRequestsThatMayWait_eachIsReserved() {
        Duration timeout = Duration.ofSeconds(3);
        try (RedisStore store = RedisStore.builder(server.uri())
                .timeout(timeout)
                .maxInFlight(LARGEST_BURST)
                .connect()) {
            Await.until(
                    "a connection",
                    () -> store.decide("test", Limits.parse("1/1s"), "first", 1).allowed());
            int burst = SMALLEST_BURST;
            while (longestWait(store, burst).compareTo(timeout) <= 0) {
                burst *= 2;
                assertThat(burst).isLessThanOrEqualTo(LARGEST_BURST);
            }
        }
    }

    /** Requests reservations on new keys, all of which the store must grant. Returns how long the last of them waited. */
    private static Duration longestWait(RedisStore store, int burst) {
        List<CompletableFuture<StoreReservation>> calls = new ArrayList<>();
        for (int i = 0; i < burst; i++) {
            String key = "key " + i % KEYS_OF_A_BURST + " of " + burst;
            calls.add(store.reserveAsync(List.of(request("1/1s", key)), TimeUnit.HOURS.toNanos(2)));
        }
        long sent = System.nanoTime();
        for (int i = 0; i < burst; i++) {
            Decision decision = calls.get(i).join().decision();
            assertThat(decision.allowed()).as("call %d of %d", i, burst).isTrue();
        }
        return Duration.ofNanos(System.nanoTime() - sent);
    }

    @Test
    void tooManyCallsInFlight_isAnOverload() {
        AtomicInteger downs = new AtomicInteger();
        Queue<StoreException> failures = new ConcurrentLinkedQueue<>();
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Await.TIMEOUT)
                .maxInFlight(10)
                .listener(new StoreListener() {
                    @Override
                    public void storeDown(StoreException failure) {
                        downs.incrementAndGet();
                    }
                })
                .connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("test")
                    .limit("100/1h")
                    .store(store)
                    .listener(new LimiterListener() {
                        @Override
                        public void storeFailed(String name, String key, StoreException failure) {
                            failures.add(failure);
                        }
                    })
                    .whenStoreFails(FailurePolicy.closed())
                    .build();
            proxy.hold();
            List<CompletableFuture<Decision>> pending = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                pending.add(limiter.tryAcquireAsync("key " + i % 2));
            }

            assertThat(limiter.tryAcquire("key 1").degraded()).isTrue();
            assertThat(failures).hasSize(1).allMatch(StoreException::isOverload);
            assertThat(failures.peek()).hasMessage("too many calls in flight: 10");

            proxy.release();
            pending.forEach(each -> assertThat(each.join().degraded()).isFalse());
            assertThat(limiter.tryAcquire("key 1").degraded()).isFalse();
            assertThat(downs).hasValue(0);
        }
    }

    /** The server answered recently, so requests wait only because of those before them. */
    @Test
    void requestsBeyondTheTimeout_areAnOverload_andNotSent() {
        try (RedisStore store =
                RedisStore.builder(proxy.uri()).timeout(Duration.ofSeconds(6)).connect()) {
            Await.until(
                    "a connection",
                    () -> store.decide("test", Limits.parse("1/1h"), "first", 1).allowed());
            proxy.hold();
            List<CompletableFuture<StoreReservation>> pending = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                pending.add(store.reserveAsync(List.of(request("1/1h", "key " + i)), 0));
            }
            int overloads = 0;
            for (int i = 0; i < pending.size(); i++) {
                Throwable failure =
                        pending.get(i).handle((reserved, why) -> why).join();
                boolean overload = ((StoreException) failure).isOverload();
                if (overload) {
                    overloads++;
                    assertThat(failure).hasMessageMatching("too many calls in flight: [1-9][0-9]*");
                }
                assertThat(proxy.sent("{test:key " + i + "}")).as("call %d", i).isEqualTo(overload ? 0 : 1);
            }
            assertThat(overloads).isBetween(100, 499);
        }
    }
}
