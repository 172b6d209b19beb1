package dev.weir.benchmarks.redis;

/** A limiter of some keys whose state is on Redis, whoever made it. Every request is for one permit, and none waits for one. */
interface RemoteLimiter {

    /** Takes a permit of the key in this place if there is one now; returns when it is decided. */
    boolean ask(int key);

    /** The same, without waiting for the decision. */
    void send(int key, Answer answer);
}
