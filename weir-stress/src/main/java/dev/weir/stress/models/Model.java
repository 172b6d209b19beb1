package dev.weir.stress.models;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import java.time.Duration;

/**
 * What the models share. A model is a Lincheck test: operations that threads may interleave as they like. Its nested class
 * {@code Specification} has the same operations, one after the other, and knows nothing of Weir. Keys are there from the
 * start: Lincheck takes a state that is made later, and put into a map, for one that no other thread sees.
 */
final class Model {
    private Model() {}

    /** Creates a limiter; the window is in nanoseconds. */
    static RateLimiter limiter(long permits, long window, TimeSource timeSource) {
        return limiter(
                permits, window, MemoryStore.builder().timeSource(timeSource).build());
    }

    /** Creates a limiter; the window is in nanoseconds. */
    static RateLimiter limiter(long permits, long window, MemoryStore store) {
        return RateLimiter.builder()
                .name("model")
                .limit(Limit.slidingLog(permits, Duration.ofNanos(window)))
                .store(store)
                .build();
    }

    /** A decision, as operations answer it. */
    static String told(boolean allowed, long remaining) {
        return (allowed ? "yes, left " : "no, left ") + remaining;
    }
}
