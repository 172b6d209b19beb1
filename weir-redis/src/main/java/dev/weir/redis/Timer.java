package dev.weir.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread that runs deadlines. It runs no code of users, so that deadlines are kept whatever that code does. It ends when it
 * has been idle. Thread-safe.
 */
final class Timer {
    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread made = new Thread(task, "weir-redis-timer");
        made.setDaemon(true);
        made.setContextClassLoader(Timer.class.getClassLoader()); // not that of a web application that starts it
        return made;
    });

    Timer() {
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Runs a short task after some nanoseconds. */
    Future<?> schedule(Runnable task, long nanos) {
        return thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /** Fails a future of a user, whose dependent stages must not run on this thread, on the common pool. */
    void fail(CompletableFuture<?> future, Throwable failure) {
        ForkJoinPool.commonPool().execute(() -> future.completeExceptionally(failure));
    }
}
