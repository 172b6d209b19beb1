package dev.weir.testkit;

import dev.weir.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * A clock that goes only when told to. Whoever waits on it ({@code acquire}, {@code acquireAsync}) is released by the
 * thread that advances it, in order of time. Thread-safe.
 */
public final class ManualClock implements Clock {
    private record Waiter(long at, long number, CompletableFuture<Void> future) implements Comparable<Waiter> {
        @Override
        public int compareTo(Waiter other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
    private long now;
    private long numbers;

    /** A clock at 2026-01-01T00:00:00Z. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000L);
    }

    /** A clock at so many nanoseconds since the epoch. */
    public ManualClock(long nanos) {
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
            waiters.add(new Waiter(Long.MAX_VALUE - nanos < now ? Long.MAX_VALUE : now + nanos, numbers++, future));
        }
        return future;
    }

    /** How many are waiting on this clock. */
    public synchronized int waiting() {
        waiters.removeIf(waiter -> waiter.future.isDone());
        return waiters.size();
    }

    /** Turns the clock forward, or back if the duration is negative. */
    public void advance(Duration duration) {
        advanceNanos(duration.toNanos());
    }

    /** Turns the clock forward, or back if negative. */
    public void advanceNanos(long nanos) {
        List<CompletableFuture<Void>> due;
        synchronized (this) {
            due = turnTo(now + nanos);
        }
        due.forEach(future -> future.complete(null));
    }

    /** Sets the clock to so many nanoseconds since the epoch, forward or back. */
    public void setNanos(long nanos) {
        List<CompletableFuture<Void>> due;
        synchronized (this) {
            due = turnTo(nanos);
        }
        due.forEach(future -> future.complete(null));
    }

    private List<CompletableFuture<Void>> turnTo(long nanos) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        now = nanos;
        while (!waiters.isEmpty() && waiters.peek().at <= now) {
            due.add(waiters.remove().future);
        }
        return due;
    }
}
