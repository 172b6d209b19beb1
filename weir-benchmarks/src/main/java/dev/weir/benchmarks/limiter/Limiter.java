package dev.weir.benchmarks.limiter;

import dev.weir.Decision;

/** A limiter of many keys, whoever made it. Every call asks for one permit, never waits, and answers a new decision. */
public interface Limiter {

    /** Takes a permit of the key if there is one now. */
    Decision tryAcquire(String key);

    /** The object that all of its keys' state hangs on. */
    Object state();
}
