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

    /** Passes on the result of a stage; {@code allowed} throws if it is not a decision of the server. */
    static <T> void when(CompletionStage<T> stage, Function<T, Boolean> allowed, Answer answer) {
        var unused = stage.whenComplete((decision, failure) -> tell(decision, failure, allowed, answer));
    }

    private static <T> void tell(T decision, @Nullable Throwable failure, Function<T, Boolean> allowed, Answer answer) {
        if (failure != null) {
            answer.failed(failure);
            return;
        }
        boolean admitted;
        try {
            admitted = allowed.apply(decision);
        } catch (RuntimeException notDecided) {
            answer.failed(notDecided);
            return;
        }
        answer.decided(admitted);
    }
}
