package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.UncaughtExceptions;
import dev.weir.testing.LogLines;
import dev.weir.testkit.StoreContract;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import dev.weir.testkit.TraceProperty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The memory store passes the contract, removes idle keys, and stays bounded without admitting too much. */
class MemoryStoreTest extends StoreContract {

    @Override
    protected Store store(TimeSource timeSource) {
        return MemoryStore.builder().timeSource(timeSource).build();
    }

    private RateLimiter limiter(MemoryStore store, String... limits) {
        return RateLimiter.builder()
                .name("test")
                .limits(Limits.parse(limits))
                .store(store)
                .build();
    }

    private MemoryStore storeOf(int maxKeys) {
        return MemoryStore.builder().timeSource(time).maxKeys(maxKeys).build();
    }

    @Test
    void idleKeys_whenNewOnesCome_areRemovedAFewAtATime() {
        MemoryStore store = storeOf(1_000_000);
        RateLimiter limiter = limiter(store, "2/1s");
        for (int i = 0; i < 10_000; i++) {
            limiter.tryAcquire("old " + i);
        }
        time.advance(Duration.ofSeconds(2));
        limiter.tryAcquire("new");
        assertThat(store.statistics().keys().orElseThrow()).isGreaterThan(5_000); // not all at once

        for (int i = 0; i < 10_001; i++) {
            limiter.tryAcquire("new " + i);
        }
        assertThat(store.statistics().keys().orElseThrow()).isBetween(10_000, 10_300);
    }

    @Test
    @Tag("real-time")
    void idleKeys_withoutRequests_areRemoved() throws Exception {
        MemoryStore store = storeOf(1_000_000);
        RateLimiter limiter = limiter(store, "2/1s");
        for (int i = 0; i < 100; i++) {
            limiter.tryAcquire("key " + i);
        }
        time.advance(Duration.ofSeconds(2));

        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (store.statistics().keys().orElseThrow() > 0 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20); // the timer uses real time
        }
        assertThat(store.statistics().keys()).hasValue(0);
    }

    @Test
    @Tag("real-time")
    void idleKeys_besideAStoreWhoseClockThrows_areRemovedAllTheSame() throws Exception {
        boolean[] broken = {false};
        MemoryStore other = MemoryStore.builder()
                .timeSource(() -> {
                    if (broken[0]) {
                        throw new IllegalStateException("no clock");
                    }
                    return 1_000_000_000L;
                })
                .build();
        limiter(other, "2/1s").tryAcquire("key");
        broken[0] = true;

        try (UncaughtExceptions expected = new UncaughtExceptions("no clock")) {
            idleKeys_withoutRequests_areRemoved();
            expected.assertCaptured();
        }
        assertThat(other.statistics().keys()).hasValue(1);
    }

    @Test
    void liveKeys_areNotSweptWhateverTheAlgorithm() {
        for (String limit :
                List.of("2/1s", "fixed-window 2/1s align=first", "token-bucket 2/1s", "leaky-bucket 2/1s")) {
            MemoryStore store = storeOf(1_000_000);
            RateLimiter limiter = limiter(store, limit);
            limiter.tryAcquire("live", 2);
            time.advanceNanos(999_000_000);
            for (int i = 0; i < 100; i++) {
                limiter.tryAcquire("other " + i);
            }
            assertThat(limiter.tryAcquire("live", 2).allowed()).as(limit).isFalse();
        }
    }

    @Test
    void fullStore_manyNewKeysTogether_areDenied() {
        MemoryStore store = storeOf(3);
        RateLimiter limiter = limiter(store, "2/1s");
        Request[] requests = new Request[64];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = limiter.request("key " + i, 1);
        }

        Decision denied = RateLimiter.tryAcquireAll(requests);

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.degraded()).isTrue();
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(denied.statuses()).hasSize(64);
        assertThat(store.statistics().keys().orElseThrow()).isLessThanOrEqualTo(3);
    }

    @Test
    void fullStore_neverAdmitsAKeyTooMuch() {
        Limit limit = Limit.parse("3/100ms");
        TraceProperty.check(
                1,
                150,
                400,
                random -> new long[] {random.nextInt(9), random.nextInt(12_000_000), random.nextInt(3)},
                trace -> {
                    MemoryStore store = storeOf(2);
                    RateLimiter limiter = limiter(store, "3/100ms");
                    List<TraceEvent> events = new ArrayList<>();
                    for (long[] step : trace) {
                        time.advanceNanos(step[1]);
                        String key = "key " + step[0];
                        if (limiter.tryAcquire(key, 1 + step[2] / 2).allowed()) {
                            events.add(new TraceEvent(time.nanos(), key, 1 + step[2] / 2, Kind.ALLOWED));
                        }
                        assertThat(store.statistics().keys().orElseThrow()).isLessThanOrEqualTo(2);
                    }
                    assertThat(TraceChecker.check(limit, events).violation()).isNull();
                });
    }

    @Tag("large")
    @Test
    void fullStore_usedByThreads_neverAdmitsAKeyTooMuch() throws Exception {
        MemoryStore store = MemoryStore.builder().maxKeys(8).build();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("5/1h").store(store).build();
        RateLimiter shortLived =
                RateLimiter.builder().name("short").limit("5/1us").store(store).build();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        AtomicInteger[] admitted = new AtomicInteger[64];
        Arrays.setAll(admitted, i -> new AtomicInteger());
        List<Future<?>> runs = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            SplittableRandom random = new SplittableRandom(t);
            runs.add(pool.submit(() -> {
                for (int i = 0; i < 20_000; i++) {
                    int key = random.nextInt(64);
                    shortLived.tryAcquire("k"
                            + random.nextInt(64)); // keys are added and removed, so the store is full from time to time
                    if (limiter.tryAcquire("k" + key).allowed()) {
                        admitted[key].incrementAndGet();
                    }
                }
            }));
        }
        for (Future<?> run : runs) {
            run.get(60, TimeUnit.SECONDS);
        }
        pool.shutdown();

        assertThat(admitted).allSatisfy(count -> assertThat(count.get()).isLessThanOrEqualTo(5));
        assertThat(store.statistics().keys().orElseThrow()).isLessThanOrEqualTo(8);
    }

    @Tag("large")
    @Test
    void floodOfRandomKeys_removesNoLog() {
        MemoryStore store = storeOf(1000);
        RateLimiter limiter = limiter(store, "5/1h");
        limiter.tryAcquire("attacker", 5);
        for (int i = 0; i < 50_000; i++) {
            limiter.tryAcquire("flood " + i);
        }

        assertThat(limiter.tryAcquire("attacker").allowed()).isFalse();
        assertThat(store.statistics().keys()).hasValue(1000);
        time.advance(Duration.ofHours(1));
        assertThat(limiter.tryAcquire("attacker").allowed()).isTrue();
    }

    @Test
    void fullStore_newKey_isDeniedAndNothingIsCounted() {
        RateLimiter limiter = limiter(storeOf(1), "5/1s", "9/1m");
        limiter.tryAcquire("first");

        Decision denied = limiter.tryAcquire("second");
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.degraded()).isTrue();
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(limiter.peek("second")).isEqualTo(denied);
        assertThat(limiter.inspect("second").limits())
                .extracting(LimitSnapshot::remaining)
                .containsExactly(5L, 9L);
        assertThat(limiter.reserve("second", 1, Duration.ofHours(1)).decision()).isEqualTo(denied);
        assertThat(RateLimiter.tryAcquireAll(limiter.request("first", 1), limiter.request("second", 1))
                        .allowed())
                .isFalse();
        Decision known = limiter.tryAcquire("first");
        assertThat(known.degraded()).isFalse();
        assertThat(known.remaining()).isEqualTo(5 - 2);

        time.advance(Duration.ofMinutes(2));
        assertThat(limiter.peek("second").degraded()).isFalse();
        assertThat(limiter.tryAcquire("second").remaining()).isEqualTo(5 - 1);
    }

    @Test
    void fullStore_newKey_isReportedToTheLimitersListener() {
        List<String> events = new ArrayList<>();
        RateLimiter limiter = RateLimiter.builder()
                .name("test")
                .limit("5/1s")
                .store(storeOf(1))
                .listener(new LimiterListener() {
                    @Override
                    public void storeFull(String limiter, String key) {
                        events.add(limiter + "/" + key);
                    }
                })
                .build();
        limiter.tryAcquire("first");
        limiter.tryAcquire("second");

        assertThat(events).containsExactly("test/second");
    }

    @Test
    void fullStore_newKeys_areLoggedOnce() {
        RateLimiter limiter = limiter(storeOf(1), "5/1s");
        try (LogLines logged = new LogLines("dev.weir")) {
            for (int i = 0; i < 100; i++) {
                limiter.tryAcquire("key" + i);
            }
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .matches("WARNING the store is full, with 1 keys \\(at most 1\\), whose text takes 4 bytes"
                            + " \\(at most [0-9]+\\): there is no room .*");
        }
    }

    /** Two threads that add a key at the same time, under other limits, find one state. */
    @Tag("large")
    @Test
    void newKey_requestedByTwoThreads_hasOneStateOnly() throws Exception {
        MemoryStore store = MemoryStore.create();
        int keys = 100_000;
        CyclicBarrier barrier = new CyclicBarrier(2);
        AtomicInteger admitted = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<?>> runs = new ArrayList<>();
        for (RateLimiter limiter : List.of(limiter(store, "1/1h"), limiter(store, "1/1h", "5/1d"))) {
            runs.add(pool.submit(() -> {
                for (int i = 0; i < keys; i++) {
                    if (i % 1000 == 0) {
                        barrier.await();
                    }
                    if (limiter.tryAcquire("k" + i).allowed()) {
                        admitted.incrementAndGet();
                    }
                }
                return null;
            }));
        }
        for (Future<?> run : runs) {
            run.get(60, TimeUnit.SECONDS);
        }
        pool.shutdown();

        assertThat(admitted).hasValue(keys);
    }

    @Test
    void keyBytes_boundTheTextOfKeys_latin1AndOthers() {
        MemoryStore store =
                MemoryStore.builder().timeSource(time).maxKeyBytes(1000).build();
        RateLimiter limiter = limiter(store, "5/1s");
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire(i + "a".repeat(199)).degraded()).isFalse();
        }
        assertThat(limiter.tryAcquire("\u0416".repeat(199)).degraded()).isFalse(); // 398 bytes

        assertThat(limiter.tryAcquire("abc").degraded()).isTrue();
        assertThat(limiter.tryAcquire("ab").degraded()).isFalse();
        assertThat(store.statistics().keys()).hasValue(5);
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.tryAcquire("b".repeat(1000)).degraded())
                .as("idle keys made room")
                .isFalse();
    }

    @Test
    void block_newKeyInAFullStore_holdsAndIsRemovedWhenItEnds() {
        MemoryStore store = storeOf(1);
        RateLimiter limiter = limiter(store, "5/1h");
        limiter.tryAcquire("first");
        limiter.block("second", Duration.ofMinutes(1));
        assertThat(store.statistics().keys()).hasValue(2);

        Decision denied = limiter.tryAcquire("second");
        assertThat(denied.blocked()).isTrue();
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofMinutes(1));

        time.advance(Duration.ofMinutes(2));
        Decision third = limiter.tryAcquire("third");
        assertThat(third.degraded()).isTrue();
        assertThat(third.blocked()).isFalse();
        assertThat(store.statistics().keys()).hasValue(1);
    }

    @Test
    void block_newKey_isCountedUntilItIsRemoved() {
        MemoryStore store = storeOf(1);
        RateLimiter limiter = limiter(store, "5/1h");
        limiter.block("a", Duration.ofSeconds(10));
        assertThat(store.statistics().keys()).hasValue(1);

        time.advance(Duration.ofSeconds(11));
        assertThat(limiter.tryAcquire("b").degraded()).isFalse();
        assertThat(store.statistics().keys()).hasValue(1);
    }

    @Test
    void close_allKeys_areRemoved() {
        MemoryStore store = storeOf(1);
        RateLimiter limiter = limiter(store, "6/1h");
        limiter.tryAcquire("own", 6);
        store.close();

        assertThat(store.statistics().keys()).hasValue(0);
        assertThat(limiter.peek("own").remaining()).isEqualTo(6);
    }

    @Test
    void listenerThatCallsTheLimiterFromAnotherThread_findsNoLockHeld() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        RateLimiter[] self = new RateLimiter[1];
        AtomicInteger calls = new AtomicInteger();
        LimiterListener calling = new LimiterListener() {
            @Override
            public void decided(String limiter, String key, long permits, Decision decision) {
                if (calls.getAndIncrement() == 0) {
                    assertThat(other.submit(() -> self[0].tryAcquire(key).allowed()))
                            .succeedsWithin(Duration.ofSeconds(20));
                }
            }
        };
        self[0] = RateLimiter.builder()
                .limit("5/1s")
                .timeSource(time)
                .listener(calling)
                .build();

        assertThat(self[0].tryAcquire("key").allowed()).isTrue();
        assertThat(calls).hasValue(2);
        other.shutdown();
    }

    @Test
    void tooFewKeys_isRefusedWhenBuilt() {
        assertThatThrownBy(() -> MemoryStore.builder().maxKeys(0)).hasMessage("maxKeys must be at least 1, was 0");
    }
}
