package dev.weir.spring;

import dev.weir.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Gives threads the class loader of the application. Filters are made by a thread with the class loader of the servlet
 * container's web application; threads that inherit it are reported as memory leaks when the application stops. Those of the
 * common pool have the class loader of the system, which does not find the classes in an executable jar.
 */
final class ApplicationThreads {
    private ApplicationThreads() {}

    /**
     * Returns what the supplier returns. The threads that it starts, and the one on which all limiters wait, have the class loader
     * of the application.
     */
    static <T> T startedBy(Supplier<T> supplier) {
        return asApplication(() -> {
            CompletableFuture<Void> unused = TimeSource.system().after(1); // starts that thread, one in a JVM
            return supplier.get();
        });
    }

    /** Returns an executor that runs tasks on the threads of another one, with the class loader of the application. */
    static Executor on(Executor threads) {
        return task -> threads.execute(() -> asApplication(() -> {
            task.run();
            return task;
        }));
    }

    private static <T> T asApplication(Supplier<T> supplier) {
        Thread thread = Thread.currentThread();
        ClassLoader inherited = thread.getContextClassLoader();
        thread.setContextClassLoader(ApplicationThreads.class.getClassLoader());
        try {
            return supplier.get();
        } finally {
            thread.setContextClassLoader(inherited);
        }
    }
}
