package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of idle keys, without their strings, and their removal. */
class IdleKeysTest {
    private static final int KEYS = 1_000_000;
    private static final int MOST_BYTES = 120; // 104 and what the collector leaves between them

    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();
    private final RateLimiter limiter =
            RateLimiter.builder().name("test").limit("2/1s").store(store).build();

    @Tag("large")
    @Test
    void millionKeysWithOneEntryEach_takeNoMoreThanTheirObjects() {
        String[] keys = new String[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "user " + i;
        }
        MemoryStore large = MemoryStore.create();
        RateLimiter hourly =
                RateLimiter.builder().name("test").limit("100/1h").store(large).build();
        long before = used();
        for (String key : keys) {
            hourly.tryAcquire(key);
        }

        assertThat(large.statistics().keys()).hasValue(KEYS);
        assertThat((used() - before) / KEYS).isLessThanOrEqualTo(MOST_BYTES);
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

    /** A new key for which there is no room visits a few bins, occupied or not; else it would go through the whole table. */
    @Tag("large")
    @Test
    void newKeyInAFullStore_afterManyWereRemoved_doesNotVisitTheWholeTable() {
        int keys = 1000;
        int length = 1000;
        MemoryStore small = MemoryStore.builder()
                .timeSource(time)
                .maxKeyBytes((long) keys * length)
                .build();
        RateLimiter limited =
                RateLimiter.builder().name("test").limit("2/1s").store(small).build();
        assertRemovedWithin30Seconds(small, limited, 100_000);
        for (int i = 0; i < keys; i++) {
            limited.tryAcquire(String.format("%0" + length + "d", i));
        }
        assertThat(small.statistics().keys()).hasValue(keys);
        time.advance(Duration.ofSeconds(2));

        limited.tryAcquire("new");

        assertThat(small.statistics().keys().orElseThrow()).isGreaterThan(keys / 2);
    }

    private void assertRemovedWithin30Seconds(int keys) {
        assertRemovedWithin30Seconds(store, limiter, keys);
    }

    private void assertRemovedWithin30Seconds(MemoryStore store, RateLimiter limiter, int keys) {
        for (int i = 0; i < keys; i++) {
            limiter.tryAcquire("key " + i);
        }
        assertThat(store.statistics().keys()).hasValue(keys);
        time.advance(Duration.ofSeconds(2));
        store.visitOneSecond();
        assertThat(store.statistics().keys().orElseThrow())
                .as("after one visit, which is short")
                .isGreaterThanOrEqualTo(keys > 1000 ? keys / 10 * 8 : 0);
        for (int second = 1; second < 30; second++) {
            store.visitOneSecond();
        }

        assertThat(store.statistics().keys()).hasValue(0);
    }
}
