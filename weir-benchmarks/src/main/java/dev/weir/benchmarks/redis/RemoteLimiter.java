package dev.weir.benchmarks.redis;

import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A limiter of some keys, by index, whose state is on Redis. Every request is for one permit, and never waits for one.
 *
 * @param acquiring requests a permit, and returns whether it was admitted
 * @param sending requests a permit without waiting for the decision
 * @param allowed whether a decision admits; throws if the server has not made it
 */
public record RemoteLimiter<T>(
        IntPredicate acquiring, IntFunction<? extends CompletionStage<T>> sending, Predicate<T> allowed) {

    /** Receives whether a request was admitted, or why that is not known. */
    interface Answer {
        void take(boolean admitted, @Nullable Throwable failure);
    }

    public boolean acquire(int key) {
        return acquiring.test(key);
    }

    void send(int key, Answer answer) {
        var unused = sending.apply(key).whenComplete((decision, failure) -> {
            boolean admitted = false;
            Throwable unknown = failure;
            if (failure == null) {
                try {
                    admitted = allowed.test(decision);
                } catch (RuntimeException notDecided) {
                    unknown = notDecided;
                }
            }
            answer.take(admitted, unknown);
        });
    }
}
