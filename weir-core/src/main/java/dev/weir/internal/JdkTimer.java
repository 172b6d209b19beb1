package dev.weir.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** The timer of the JDK, whose thread runs delayed tasks of the whole JVM, and lives as long. */
public final class JdkTimer {
    private JdkTimer() {}

    /**
     * Starts it on a thread of the common pool, if it does not run. A thread keeps the class loader of the thread that starts it, and
     * on JDK 17 those of all code that is being called then: if a request's wait started it, those of a web application.
     */
    public static void start() {
        CompletableFuture<Object> onThePool = new CompletableFuture<>();
        var unused = onThePool.thenRunAsync( // called by the JDK alone, when the future completes
                () -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.NANOSECONDS, ForkJoinPool.commonPool()));
        try {
            onThePool.completeAsync(() -> onThePool, ForkJoinPool.commonPool());
        } catch (OutOfMemoryError noThread) { // the first wait starts it
        }
    }
}
