package dev.weir.http;

import dev.weir.Reservation;
import dev.weir.TimeSource;
import dev.weir.internal.Futures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Permits of one key that are held because its server has fewer than the limiter, each until a reset of the server. They are released
 * then. Thread-safe.
 */
final class OutboundHolds {
    static final int MOST = 4_096;

    private static final int MOST_OF_ALL_KEYS = 4 * MOST;

    private final TimeSource time;
    private final AtomicInteger all;
    private final Runnable whenEmpty;
    private final List<Hold> holds = new ArrayList<>(); // guarded by this

    /** A reservation that nobody uses. */
    private static final class Hold {
        final Reservation reservation;
        final long permits;
        long end; // guarded by the holds

        Hold(Reservation reservation, long permits, long end) {
            this.reservation = reservation;
            this.permits = permits;
            this.end = end;
        }
    }

    /**
     * Creates none.
     *
     * @param all counts those of all keys
     * @param whenEmpty runs when the last one has been released
     */
    OutboundHolds(TimeSource time, AtomicInteger all, Runnable whenEmpty) {
        this.time = time;
        this.all = all;
        this.whenEmpty = whenEmpty;
    }

    synchronized boolean isEmpty() {
        return holds.isEmpty();
    }

    synchronized boolean hasRoom() {
        return holds.size() < MOST && all.get() < MOST_OF_ALL_KEYS;
    }

    /** Extends holds until an instant, so that at most the given number of permits is released before it; the latest ones first. */
    synchronized void releaseAtMost(long permits, long end) {
        List<Hold> earlier = holds.stream()
                .filter(hold -> hold.end - end < 0)
                .sorted(Comparator.comparingLong((Hold hold) -> hold.end - end).reversed())
                .toList();
        long excess = earlier.stream().mapToLong(hold -> hold.permits).sum() - permits;
        for (Hold hold : earlier) {
            if (excess > 0) {
                hold.end = end;
                excess -= hold.permits;
            }
        }
    }

    /** Holds permits until an instant. */
    void add(Reservation reservation, long permits, long end) {
        Hold hold = new Hold(reservation, permits, end);
        synchronized (this) {
            holds.add(hold);
        }
        all.incrementAndGet();
        schedule(hold, end);
    }

    private void schedule(Hold hold, long end) {
        CompletableFuture<Void> unused = Futures.on(time.executor(), time.after(Math.max(0, end - time.nanos())))
                .whenComplete((none, failure) -> release(hold, end));
    }

    /** Releases a hold at its end, or schedules that again if the end has moved. */
    private void release(Hold hold, long scheduled) {
        long end;
        boolean empty;
        synchronized (this) {
            end = hold.end;
            if (end == scheduled) {
                holds.remove(hold);
            }
            empty = holds.isEmpty();
        }
        if (end != scheduled) {
            schedule(hold, end);
            return;
        }
        all.decrementAndGet();
        hold.reservation.cancel();
        if (empty) {
            whenEmpty.run();
        }
    }
}
