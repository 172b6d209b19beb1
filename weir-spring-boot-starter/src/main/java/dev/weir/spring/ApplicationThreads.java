package dev.weir.spring;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives threads a class loader. Filters are made by a thread with the class loader of the servlet container's web application;
 * threads that inherit it are reported as memory leaks when the application stops. Those of the common pool have the class loader
 * of the system, which does not find the classes in an executable jar, or finds others than those of an application that devtools
 * restarted.
 */
final class ApplicationThreads {
    private ApplicationThreads() {}

    /**
     * Returns what the supplier returns. The threads that it starts have the class loader of this class, which is not replaced when the
     * application restarts.
     */
    static <T> T startedBy(Supplier<T> supplier) {
        return with(ApplicationThreads.class.getClassLoader(), supplier);
    }

    /** Returns an executor that runs tasks on the threads of another one, with a class loader. */
    static Executor on(Executor threads, @Nullable ClassLoader loader) {
        return task -> threads.execute(() -> with(loader, () -> {
            task.run();
            return task;
        }));
    }

    private static <T> T with(@Nullable ClassLoader loader, Supplier<T> supplier) {
        Thread thread = Thread.currentThread();
        ClassLoader inherited = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return supplier.get();
        } finally {
            thread.setContextClassLoader(inherited);
        }
    }
}
