package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.UncaughtExceptions;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of idle keys, without their strings, and their removal. */
class IdleKeysTest {
    private static final int KEYS = 250_000;
    private static final int MOST_BYTES = 120; // 104 and what the collector leaves between them

    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store =
            new MemoryStore(time, time::nanos, 1_000_000, 1 << 26, task -> {}); // the test visits the keys
    private final RateLimiter limiter =
            RateLimiter.builder().name("test").limit("2/1s").store(store).build();

    @Tag("large")
    @Test
    void manyKeysWithOneEntryEach_takeNoMoreThanTheirObjects() {
        assertTakeAtMost(MOST_BYTES, "100/1h", RateLimiter::tryAcquire);
    }

    /** Nearly all reservations are granted at once and not refunded. */
    @Tag("large")
    @ParameterizedTest
    @ValueSource(strings = {"100/1h", "fixed-window 100/1h", "token-bucket 100/1h"})
    void manyKeysWithOneReservationEach_takeLittleMore(String limit) {
        assertTakeAtMost(
                MOST_BYTES + 16,
                limit,
                (limiter, key) -> limiter.tryAcquireAsync(key).join());
    }

    private void assertTakeAtMost(int bytes, String limit, BiFunction<RateLimiter, String, Decision> request) {
        String[] keys = new String[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "user " + i;
        }
        MemoryStore large = MemoryStore.builder().timeSource(time).build(); // a window that ended would remove its keys
        RateLimiter hourly =
                RateLimiter.builder().name("test").limit(limit).store(large).build();
        long before = used();
        for (String key : keys) {
            assertThat(request.apply(hourly, key).allowed()).isTrue();
        }

        assertThat(large.statistics().keys()).hasValue(KEYS);
        assertThat((used() - before) / KEYS).isLessThanOrEqualTo(bytes);
        assertThat(hourly.peek(keys[KEYS - 1]).remaining()).isEqualTo(99); // keys and store are still held
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    @Tag("large")
    @Test
    void idleKeys_manyKeys_areRemovedWithin30Seconds() {
        assertRemovedWithin30Seconds(300_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 999, 20_000})
    void idleKeys_anyNumber_areRemovedWithin30Seconds(int keys) {
        assertRemovedWithin30Seconds(keys);
    }

    /** Clients that choose keys can choose their hash codes. */
    @Test
    void idleKeys_equalHashCodes_areRemovedWithin30Seconds() {
        assertRemovedWithin30Seconds(
                1 << 16,
                i -> Integer.toBinaryString(1 << 16 | i).replace("0", "Aa").replace("1", "BB"));
    }

    /** A new key visits a few bins. If only occupied ones counted, it would go through the whole table to find another key. */
    @Tag("large")
    @Test
    void newKey_afterManyWereRemoved_doesNotVisitTheWholeTable() {
        assertRemovedWithin30Seconds(100_000);
        limiter.tryAcquire("a");
        time.advance(Duration.ofSeconds(2));

        limiter.tryAcquire("b");

        assertThat(store.statistics().keys()).as("the idle key and the new one").hasValue(2);
    }

    private void assertRemovedWithin30Seconds(int keys) {
        assertRemovedWithin30Seconds(keys, i -> "key " + i);
    }

    private void assertRemovedWithin30Seconds(int keys, IntFunction<String> key) {
        for (int i = 0; i < keys; i++) {
            limiter.tryAcquire(key.apply(i));
        }
        assertThat(store.statistics().keys()).hasValue(keys);
        time.advance(Duration.ofSeconds(2));
        for (int second = 0; second < 30; second++) {
            store.idleKeyTimer.visitOneSecond();
        }

        assertThat(store.statistics().keys()).hasValue(0);
    }

    @Tag("large")
    @Test
    void removalOfIdleKeys_clockOfAnotherStoreThrows_continues() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        MemoryStore bad = MemoryStore.builder()
                .timeSource(() -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken time source");
                    }
                    return time.nanos();
                })
                .build();
        RateLimiter.builder().name("test").limit("1/1s").store(bad).build().tryAcquire("key");
        MemoryStore good = MemoryStore.builder().timeSource(time).build();
        RateLimiter.builder().name("test").limit("1/1s").store(good).build().tryAcquire("key");
        try (UncaughtExceptions expected = new UncaughtExceptions("broken time source")) {
            broken.set(true);
            time.advance(Duration.ofHours(1));
            for (int i = 0; i < 1_200 && good.statistics().keys().orElseThrow() > 0; i++) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            expected.assertCaptured();
        }
        assertThat(bad).isNotNull();
        broken.set(false);
        assertThat(good.statistics().keys()).hasValue(0);
    }
}
