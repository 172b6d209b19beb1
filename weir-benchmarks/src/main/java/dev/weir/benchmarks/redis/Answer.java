package dev.weir.benchmarks.redis;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a decision goes that was not waited for. */
interface Answer {

    /** The limiter has decided. */
    void decided(boolean allowed);

    /** The limiter could not decide. */
    void failed(Throwable failure);

    /** Is told what comes of a stage. */
    static <T> void when(CompletionStage<T> stage, Function<T, Boolean> allowed, Answer answer) {
        var unused = stage.whenComplete((decision, failure) -> tell(decision, failure, allowed, answer));
    }

    private static <T> void tell(T decision, @Nullable Throwable failure, Function<T, Boolean> allowed, Answer answer) {
        if (failure == null) {
            answer.decided(allowed.apply(decision));
        } else {
            answer.failed(failure);
        }
    }
}
