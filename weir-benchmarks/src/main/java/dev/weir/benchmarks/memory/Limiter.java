package dev.weir.benchmarks.memory;

import dev.weir.Decision;

/** A limiter of many keys. Every call requests one permit and returns a new decision. */
public interface Limiter {
    /** Acquires a permit of the key. */
    Decision tryAcquire(String key);
}
