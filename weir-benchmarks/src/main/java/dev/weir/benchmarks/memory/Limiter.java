package dev.weir.benchmarks.memory;

import dev.weir.Decision;

/** A limiter of many keys. Every call requests one permit. */
public interface Limiter {
    /** Acquires a permit of the key and returns a new decision. */
    Decision tryAcquire(String key);

    /** Acquires a permit of the key and returns whether it was granted. Creates a decision only if the limiter itself does. */
    default boolean isAllowed(String key) {
        return tryAcquire(key).allowed();
    }
}
