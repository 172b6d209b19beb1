package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.testing.JavaCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flood of new keys does not use up a small heap. */
class SmallHeapTest {
    private static final int KEYS = 150_000; // 34 MB and more with their text

    @Test
    void floodOfKeys_defaultBounds_isDeniedBeforeTheHeapIsFull(@TempDir Path directory) throws Exception {
        assertThatCode(() -> JavaCommand.outputInHeap("32m", getClass(), directory))
                .doesNotThrowAnyException();
    }

    /** Runs in the small heap: floods a store, with keys of a few permits and with long ones. */
    public static void main(String... words) {
        for (int length : List.of(40, 1_000)) {
            RateLimiter limiter = RateLimiter.of(Limit.slidingLog(100, Duration.ofHours(1)));
            String rest = "x".repeat(length - 9);
            for (int i = 0; i < KEYS; i++) {
                String key = i + "/" + rest;
                for (int j = 0; j < 15 && limiter.tryAcquire(key).allowed(); j++) {
                    // a few more than fit into the key's object
                }
            }
        }
    }
}
