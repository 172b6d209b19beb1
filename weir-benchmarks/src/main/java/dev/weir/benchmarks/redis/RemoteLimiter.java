package dev.weir.benchmarks.redis;

import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * A limiter of some keys, by index, whose state is on Redis. Every request is for one permit, and never waits for one.
 *
 * @param acquiring requests a permit, and returns whether it was admitted
 * @param sending requests a permit without waiting for the decision; fails if the server has not made it
 */
public record RemoteLimiter(IntPredicate acquiring, IntFunction<? extends CompletionStage<Boolean>> sending) {
    public boolean acquire(int key) {
        return acquiring.test(key);
    }
}
