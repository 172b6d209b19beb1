package dev.weir.benchmarks.limiter;

import dev.weir.Decision;
import dev.weir.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A map from keys to limiters of one key each: what a user of a library puts around it that knows no keys. Made on first
 * use; after that a look-up is one {@code get}, which takes no lock.
 */
final class PerKey<L> {
    private final ConcurrentHashMap<String, L> limiters = new ConcurrentHashMap<>();
    private final Function<String, L> maker;

    PerKey(Function<String, L> maker) {
        this.maker = maker;
    }

    L of(String key) {
        L limiter = limiters.get(key);
        return limiter != null ? limiter : limiters.computeIfAbsent(key, maker);
    }

    Object state() {
        return limiters;
    }

    /** Returns a new decision for a limiter that only allows or denies. */
    static Decision decision(boolean allowed, Limit limit) {
        return allowed ? Decision.allowed(limit, 0, 0, 0, 0) : Decision.denied(limit, 0, 0, 0, 0);
    }
}
