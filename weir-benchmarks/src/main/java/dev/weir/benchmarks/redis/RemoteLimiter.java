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
record RemoteLimiter<T>(
        IntPredicate acquiring, IntFunction<? extends CompletionStage<T>> sending, Predicate<T> allowed) {

    /** Receives a decision. */
    interface Answer {
        void decided(boolean admitted);

        void failed(Throwable failure);
    }

    boolean acquire(int key) {
        return acquiring.test(key);
    }

    void send(int key, Answer answer) {
        var unused = sending.apply(key).whenComplete((decision, failure) -> pass(decision, failure, answer));
    }

    private void pass(T decision, @Nullable Throwable failure, Answer answer) {
        if (failure != null) {
            answer.failed(failure);
            return;
        }
        boolean admitted;
        try {
            admitted = allowed.test(decision);
        } catch (RuntimeException notDecided) {
            answer.failed(notDecided);
            return;
        }
        answer.decided(admitted);
    }
}
