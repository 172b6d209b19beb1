package dev.weir.testkit;

import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A time source that advances only on request. After {@link #advance} returns, everything that was due has completed: waiting
 * threads are released, and asynchronous results are complete with their dependent stages, in the order of their times; stages
 * run on the advancing thread. Results may complete later if the limiter has an executor of its own, or if another thread advances
 * the time, too. Thread-safe.
 */
public final class ManualTimeSource implements TimeSource {
    private final TreeSet<Timer> timers = new TreeSet<>();
    private long now;
    private long timersMade;

    private record Timer(long at, long number, CompletableFuture<Void> future) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    /** Creates a source that starts at 2026-01-01T00:00:00Z. */
    public ManualTimeSource() {
        this(Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000L);
    }

    /**
     * Creates a source.
     *
     * @param nanos its first reading
     */
    public ManualTimeSource(long nanos) {
        now = nanos;
    }

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized CompletableFuture<Void> after(long nanos) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        if (nanos <= 0) {
            future.complete(null);
        } else {
            Timer timer = new Timer(Long.MAX_VALUE - nanos < now ? Long.MAX_VALUE : now + nanos, timersMade++, future);
            timers.add(timer);
            CompletableFuture<Void> unused = future.whenComplete((passed, cancelled) -> remove(timer));
        }
        return future;
    }

    private synchronized void remove(Timer timer) {
        timers.remove(timer);
    }

    /** {@return an executor that runs tasks on the calling thread} */
    @Override
    public Executor executor() {
        return Runnable::run;
    }

    /**
     * {@return the number of waits on this source that are not over} A test whose requests wait on other threads awaits them here
     * before it advances the time: a wait that starts later is counted from the new time.
     */
    public synchronized int waiting() {
        timers.removeIf(timer -> timer.future.isDone());
        return timers.size();
    }

    /**
     * Moves the time forward. Waits that become due are completed at their own times.
     *
     * @param duration zero or more
     * @throws IllegalArgumentException if the duration is negative
     * @throws ArithmeticException if the time would exceed {@link Long#MAX_VALUE}
     */
    public void advance(Duration duration) {
        Objects.requireNonNull(duration, "duration must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must not be negative, was " + duration);
        }
        advanceNanos(duration.toNanos());
    }

    /**
     * Moves the time forward. Waits that become due are completed at their own times.
     *
     * @param nanos the number of nanoseconds, zero or more
     * @throws IllegalArgumentException if the number is negative
     * @throws ArithmeticException if the time would exceed {@link Long#MAX_VALUE}
     */
    public void advanceNanos(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos must not be negative, was " + nanos);
        }
        synchronized (this) {
            long unused = Math.addExact(now, nanos);
        }
        long remaining = nanos;
        while (remaining >= 0) {
            Timer due;
            synchronized (this) {
                Timer next = timers.isEmpty() ? null : timers.first();
                long step = next == null ? remaining : Math.min(remaining, Math.max(0, next.at - now));
                due = next != null && next.at <= now + step ? timers.pollFirst() : null;
                now += step; // not set to the end: other threads advance it too
                remaining = due == null ? -1 : remaining - step;
            }
            if (due != null) {
                due.future.complete(null);
            }
        }
    }

    @Override
    public synchronized String toString() {
        return "ManualTimeSource[" + now + " ns]";
    }
}
