package dev.weir.redis;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread that runs deadlines, and the time that they use, which {@linkplain ProcessClock stands still} while this process is
 * paused. It runs no code of users, so that deadlines are kept whatever that code does. It is started with the store, so that
 * nothing depends on a thread that cannot be started later, and ends when it has been idle after {@link #close}. Thread-safe, also
 * if a thread that schedules a task runs out of stack: the tasks are in a map without locks.
 */
final class Timer {
    private static final long MIN_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // except before a task
    private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1); // if the thread was not woken for a task
    private static final int SLEEPS_PER_TASK = 4; // or a pause in a sleep could take all the time that a task has left
    private static final long NOT_LOGGED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ProcessClock clock = new ProcessClock(System::nanoTime);
    private final ConcurrentSkipListMap<Time, Runnable> tasks = new ConcurrentSkipListMap<>();
    private final AtomicLong made = new AtomicLong();
    private final Thread thread = new Thread(this::run, "weir-redis-timer");
    private volatile boolean closed;

    /** An instant of the clock, and the number of the task. */
    private record Time(long nanos, long number) implements Comparable<Time> {
        @Override
        public int compareTo(Time other) {
            return nanos == other.nanos ? Long.compare(number, other.number) : Long.compare(nanos, other.nanos);
        }
    }

    Timer() {
        thread.setDaemon(true);
        thread.setContextClassLoader(Timer.class.getClassLoader()); // not that of a web application that starts it
        thread.start();
    }

    /** Returns the time of deadlines: nanoseconds since this timer was made, in which this process was not paused. */
    long nanos() {
        return clock.nanos();
    }

    /** Lets time stand still until it is called with zero, or for some nanoseconds, in which this process is not paused. */
    void hold(long nanos) {
        clock.hold(nanos);
    }

    /** Runs a short task after some nanoseconds. Returns what cancels it: true if it does not run, false if it is too late. */
    BooleanSupplier schedule(Runnable task, long nanos) {
        Time time = new Time(clock.nanos() + nanos, made.incrementAndGet());
        tasks.put(time, task);
        Map.Entry<Time, Runnable> first = tasks.firstEntry();
        if (first != null && first.getKey().equals(time)) {
            clock.sleeping(0); // it wakes now
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
        long left = first == null ? Long.MAX_VALUE : first.getKey().nanos - clock.nanos();
        if (first == null || left > 0) {
            sleep(left);
            return false;
        } else if (tasks.remove(first.getKey()) == null) {
            return false;
        }
        run(first.getValue());
        return true;
    }

    private void sleep(long left) {
        long most = Math.max(MIN_SLEEP_NANOS, left / SLEEPS_PER_TASK);
        long nanos = Math.min(Math.min(left, most), MAX_SLEEP_NANOS);
        clock.sleeping(nanos);
        LockSupport.parkNanos(this, nanos);
        boolean unused = Thread.interrupted(); // else it would not park again
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            System.getLogger("dev.weir.redis").log(Level.WARNING, "a task of the timer failed", failure);
        }
    }

    /** Fails a future with a {@link TimeoutException} if it is not complete after some nanoseconds without pauses. Returns it. */
    <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long nanos) {
        BooleanSupplier timeout = schedule(() -> fail(future, new TimeoutException()), nanos);
        CompletableFuture<T> unused = future.whenComplete((value, failure) -> {
            boolean unusedToo = timeout.getAsBoolean();
        });
        return future;
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
