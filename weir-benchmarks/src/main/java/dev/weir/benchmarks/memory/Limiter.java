package dev.weir.benchmarks.memory;

import dev.weir.Decision;

/** A limiter of many keys. Every call requests one permit, never waits, and returns a new decision. */
interface Limiter {

    /** Acquires a permit of the key if one is available now. */
    Decision tryAcquire(String key);

    /** Returns the object that refers to the state of all keys. */
    Object state();
}
