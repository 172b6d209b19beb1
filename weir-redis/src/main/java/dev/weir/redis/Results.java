package dev.weir.redis;

import dev.weir.internal.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Futures for callers, whose dependent stages must not run on the thread of deadlines.
 *
 * @param callbacks runs the dependent stages of calls that fail
 */
record Results(Executor callbacks) {

    /** Returns the future of a call. */
    <T extends @Nullable Object> CompletableFuture<T> of(Supplier<CompletableFuture<T>> call) {
        return of(call, unwanted -> {});
    }

    /** Returns the future of a call. If the caller has cancelled it when the value arrives, {@code unwanted} receives the value. */
    <T extends @Nullable Object> CompletableFuture<T> of(Supplier<CompletableFuture<T>> call, Consumer<T> unwanted) {
        CompletableFuture<T> answer = Futures.attempt(call);
        if (answer.isDone()) {
            return answer;
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<T> unused = answer.whenComplete((value, failure) -> {
            if (failure != null) {
                callbacks.execute(() -> result.completeExceptionally(Futures.cause(failure)));
            } else if (!result.complete(value)) {
                unwanted.accept(value);
            }
        });
        return result;
    }
}
