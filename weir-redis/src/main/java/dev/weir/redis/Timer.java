package dev.weir.redis;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread that runs deadlines. It runs no code of users, so that deadlines are kept whatever that code does. It is started with
 * the store, so that nothing depends on a thread that cannot be started later, and ends when it has been idle after {@link #close}.
 * Thread-safe, also if a thread that schedules a task runs out of stack: the tasks are in a map without locks.
 */
final class Timer {
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1); // if the thread was not woken for a task
    private static final long NOT_LOGGED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ConcurrentSkipListMap<Time, Runnable> tasks = new ConcurrentSkipListMap<>();
    private final AtomicLong made = new AtomicLong();
    private final Thread thread = new Thread(this::run, "weir-redis-timer");
    private volatile boolean closed;

    /** An instant of {@link System#nanoTime}, and the number of the task. */
    private record Time(long nanos, long number) implements Comparable<Time> {
        @Override
        public int compareTo(Time other) {
            return nanos == other.nanos ? Long.compare(number, other.number) : Long.signum(nanos - other.nanos);
        }
    }

    Timer() {
        thread.setDaemon(true);
        thread.setContextClassLoader(Timer.class.getClassLoader()); // not that of a web application that starts it
        thread.start();
    }

    /** Runs a short task after some nanoseconds. Returns what cancels it: true if it does not run, false if it is too late. */
    BooleanSupplier schedule(Runnable task, long nanos) {
        Time time = new Time(System.nanoTime() + nanos, made.incrementAndGet());
        tasks.put(time, task);
        Map.Entry<Time, Runnable> first = tasks.firstEntry();
        if (first != null && first.getKey().equals(time)) {
            LockSupport.unpark(thread);
        }
        return () -> tasks.remove(time) != null;
    }

    private void run() {
        long idleSince = System.nanoTime();
        while (!closed || !tasks.isEmpty() || System.nanoTime() - idleSince < IDLE_NANOS) {
            try {
                if (runFirst()) {
                    idleSince = System.nanoTime();
                }
            } catch (RuntimeException | Error notLogged) { // the logger failed, or had no memory
                LockSupport.parkNanos(this, NOT_LOGGED_NANOS);
            }
        }
    }

    /** Runs the first task if it is due, or waits for it. Returns whether it was run. */
    private boolean runFirst() {
        Map.Entry<Time, Runnable> first = tasks.firstEntry();
        long pause = first == null ? MAX_PAUSE_NANOS : first.getKey().nanos - System.nanoTime();
        if (first == null || pause > 0) {
            LockSupport.parkNanos(this, Math.min(pause, MAX_PAUSE_NANOS));
            boolean unused = Thread.interrupted(); // else it would not park again
            return false;
        } else if (tasks.remove(first.getKey()) == null) {
            return false;
        }
        run(first.getValue());
        return true;
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            System.getLogger("dev.weir.redis").log(Level.WARNING, "a task of the timer failed", failure);
        }
    }

    /** Fails a future of a user, whose dependent stages must not run on this thread, on the common pool. */
    void fail(CompletableFuture<?> future, Throwable failure) {
        try {
            ForkJoinPool.commonPool().execute(() -> future.completeExceptionally(failure));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) { // here rather than never
            future.completeExceptionally(failure);
        }
    }

    /** Ends the thread when it has been idle. */
    void close() {
        closed = true;
    }
}
