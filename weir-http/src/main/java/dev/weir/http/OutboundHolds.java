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

    /** Returns the permits that will be released before an instant. */
    synchronized long releasedBefore(long end) {
        return holds.stream()
                .filter(hold -> hold.end - end < 0)
                .mapToLong(hold -> hold.permits)
                .sum();
    }

    /** Keeps at least so many of the permits that would be released before an instant until then. */
    synchronized void extend(long permits, long end) {
        holds.sort(Comparator.comparingLong((Hold hold) -> hold.end - end).reversed()); // the latest first
        long left = permits;
        for (Hold hold : holds) {
            if (left > 0 && hold.end - end < 0) {
                hold.end = end;
                left -= hold.permits;
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
        schedule(hold);
    }

    /** Releases a hold at its end, which may have moved by then. */
    private void schedule(Hold hold) {
        long end = end(hold);
        CompletableFuture<Void> unused = Futures.on(time.executor(), time.after(Math.max(0, end - time.nanos())))
                .whenComplete((none, failure) -> {
                    if (failure == null && end(hold) != end) {
                        schedule(hold);
                    } else {
                        release(hold);
                    }
                });
    }

    private synchronized long end(Hold hold) {
        return hold.end;
    }

    private void release(Hold hold) {
        boolean empty;
        synchronized (this) {
            holds.remove(hold);
            empty = holds.isEmpty();
        }
        all.decrementAndGet();
        hold.reservation.cancel();
        if (empty) {
            whenEmpty.run();
        }
    }
}
