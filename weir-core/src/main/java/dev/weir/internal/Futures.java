package dev.weir.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Conversions between futures, blocking calls and threads. */
public final class Futures {
    private Futures() {}

    /** Returns the future that a call makes; a failed one if the call throws. */
    public static <T extends @Nullable Object> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Waits for a result, and throws what the future failed with if that is unchecked. */
    public static <T extends @Nullable Object> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failure) {
            throw unchecked(cause(failure));
        }
    }

    /** Returns what a call has to throw that failed with this; an error is thrown. */
    public static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new CompletionException(cause);
    }

    /** Returns what a stage failed with, without the wrapper that dependent stages and {@code get} add. */
    public static Throwable cause(Throwable failure) {
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapped && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Returns a future with the same result whose dependents run on the executor, unless the result is there already. */
    public static <T extends @Nullable Object> CompletableFuture<T> on(Executor executor, CompletableFuture<T> future) {
        Executor used =
                task -> executor.execute(task); // the JDK replaces a small common pool by a thread for each task
        return future.isDone() ? future : future.whenCompleteAsync((value, failure) -> {}, used);
    }
}
