package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The memory of a million keys with one entry each, without their strings. */
@Tag("large")
class IdleKeysTest {
    private static final int KEYS = 1_000_000;
    private static final int MOST_BYTES = 120; // 104 and what the collector leaves between them

    @Test
    void millionKeysWithOneEntryEach_takeNoMoreThanTheirObjects() {
        String[] keys = new String[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "user " + i;
        }
        MemoryStore store = MemoryStore.create();
        RateLimiter limiter =
                RateLimiter.builder().name("test").limit("100/1h").store(store).build();
        long before = used();
        for (String key : keys) {
            limiter.tryAcquire(key);
        }

        assertThat(store.keys()).isEqualTo(KEYS);
        assertThat((used() - before) / KEYS).isLessThanOrEqualTo(MOST_BYTES);
        assertThat(limiter.peek(keys[KEYS - 1]).remaining()).isEqualTo(99); // keys and store are still held
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
}
