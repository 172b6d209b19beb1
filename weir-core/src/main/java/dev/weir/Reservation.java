package dev.weir;

import dev.weir.store.Booking;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A place booked ahead: when its turn comes, the permits are its holder's, and nobody who came later goes before it. If
 * the decision was a denial, nothing is booked and nothing is there to wait for or to give back. Thread-safe.
 */
public final class Reservation {
    private static final long CANCELLED = -1;

    private final List<RateLimiter.Request> requests;
    private final Booking booking;
    private final Clock clock;
    private final Executor executor;
    private final long receivedAt;
    private final AtomicLong refunded = new AtomicLong(); // permits of each request; or cancelled
    private final AtomicReference<@Nullable CompletableFuture<Void>> turn = new AtomicReference<>();

    Reservation(List<RateLimiter.Request> requests, Booking booking, Clock clock, Executor executor) {
        this.requests = requests;
        this.booking = booking;
        this.clock = clock;
        this.executor = executor;
        this.receivedAt = booking.decision().waitNanos() == 0 ? 0 : clock.nanos();
    }

    /** What was decided: how long to wait, or why not. */
    public Decision decision() {
        return booking.decision();
    }

    /** How many permits were asked for, of all requests together. */
    public long permits() {
        return requests.stream()
                .mapToLong(RateLimiter.Request::permits)
                .reduce(0, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    }

    /**
     * Waits for the turn, and answers with the decision; at once if it was a denial or needs no wait.
     *
     * @throws InterruptedException if interrupted while waiting; exactly this booking is then given back
     * @throws CancellationException if the reservation is cancelled, before this or meanwhile
     */
    public Decision await() throws InterruptedException {
        CompletableFuture<Void> turn = turn();
        try {
            turn.get();
            if (refunded.get() == CANCELLED) {
                throw new CancellationException();
            }
            return decision();
        } catch (InterruptedException interrupt) {
            throw givingBack(interrupt);
        } catch (CancellationException cancelled) {
            throw givingBack(cancelled);
        } catch (ExecutionException failure) {
            throw givingBack(new IllegalStateException("the clock could not wait", failure));
        }
    }

    /** The same exception, after giving back; what a listener throws meanwhile goes along with it. */
    private <E extends Exception> E givingBack(E why) {
        try {
            cancel();
        } catch (RuntimeException listener) {
            why.addSuppressed(listener);
        }
        return why;
    }

    /**
     * The decision when the turn has come; no thread waits. Cancelling the future before that, or completing it in any
     * other way (a timeout, say), gives back exactly this booking; and cancelling the reservation cancels the future. What
     * depends on it runs on the limiter's executor.
     */
    public CompletableFuture<Decision> whenDue() {
        CompletableFuture<Void> turn = turn();
        if (turn.isDone() && !turn.isCompletedExceptionally()) {
            return refunded.get() == CANCELLED
                    ? CompletableFuture.failedFuture(new CancellationException())
                    : CompletableFuture.completedFuture(decision());
        }
        CompletableFuture<Decision> due = new CompletableFuture<>();
        CompletableFuture<Void> unused = turn.<Void>handleAsync(
                        (passed, failure) -> {
                            tell(due, failure);
                            return null;
                        },
                        executor)
                .exceptionally(rejected -> {
                    due.completeExceptionally(rejected);
                    cancel();
                    return null;
                });
        CompletableFuture<Decision> unusedToo = due.whenComplete((decision, failure) -> {
            if (!turn.isDone()) {
                cancel();
            }
        });
        return due;
    }

    /**
     * The decision when the turn of a reservation has come that is still being made. Whoever completes the future before gives
     * the booking back, be it there already or not.
     */
    static CompletableFuture<Decision> whenDue(CompletableFuture<Reservation> reserved) {
        CompletableFuture<Decision> due = new CompletableFuture<>();
        CompletableFuture<Reservation> unused = reserved.whenComplete((reservation, failure) -> {
            if (reservation != null) {
                reservation.tellWhenDue(due);
            } else {
                due.completeExceptionally(
                        failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
            }
        });
        return due;
    }

    private void tellWhenDue(CompletableFuture<Decision> due) {
        if (decision().waitNanos() == 0) { // its turn is now
            if (!due.complete(decision())) {
                cancel(); // someone else completed it before
            }
            return;
        }
        CompletableFuture<Decision> passed;
        try {
            passed = whenDue();
        } catch (RuntimeException cannotWait) {
            due.completeExceptionally(cannotWait);
            return;
        }
        CompletableFuture<Decision> unused = passed.whenComplete((decision, failure) -> {
            boolean told = failure == null ? due.complete(decision) : due.completeExceptionally(failure);
            if (!told) {
                cancel(); // someone else completed it before
            }
        });
        CompletableFuture<Decision> unusedToo = due.whenComplete((decision, failure) -> passed.cancel(false));
    }

    /** Ends a wait: with the decision, unless the clock failed or the reservation was cancelled before this could run. */
    private void tell(CompletableFuture<Decision> due, @Nullable Throwable failure) {
        Throwable why = failure == null && refunded.get() == CANCELLED ? new CancellationException() : failure;
        boolean told = why == null ? due.complete(decision()) : due.completeExceptionally(why);
        if (!told || why != null) {
            cancel(); // someone else completed it just before, or nobody will have the turn
        }
    }

    /** What completes when the turn has come, and is cancelled with the reservation; one for all who wait. */
    private CompletableFuture<Void> turn() {
        CompletableFuture<Void> known = turn.get();
        if (known != null) {
            return known;
        }
        CompletableFuture<Void> made = clockTurn();
        known = turn.compareAndExchange(null, made);
        if (known != null) {
            made.cancel(false);
            return known;
        }
        if (refunded.get() == CANCELLED) {
            made.cancel(false);
        }
        return made;
    }

    private CompletableFuture<Void> clockTurn() {
        if (decision().waitNanos() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return clock.after(waitLeft());
        } catch (RuntimeException cannotWait) {
            throw givingBack(cannotWait);
        }
    }

    /**
     * Gives everything back that is left, before or after its turn; see {@link #refund}. Whoever waits for the turn is told
     * by a {@link CancellationException}.
     *
     * @return false if the reservation was a denial or is cancelled already
     */
    public boolean cancel() {
        long before = decision().allowed() ? refunded.getAndSet(CANCELLED) : CANCELLED;
        if (before == CANCELLED) {
            return false;
        }
        booking.giveBackRest(before);
        CompletableFuture<Void> waiting = turn.get();
        if (waiting != null) {
            waiting.cancel(false);
        }
        for (RateLimiter.Request request : requests) {
            if (request.permits() > before) {
                request.tellGivenBack(request.permits() - before);
            }
        }
        return true;
    }

    /**
     * Gives back that many permits of each request, for instance what a call that was booked at its most turned out not
     * to need. Exact in the logs and windows, and for the newest booking of gcra, token bucket and leaky bucket; there an
     * older booking's permits are forfeited, and so is a second refund. What has left its window, or was booked for a key
     * that was reset since, stays as it is.
     *
     * @return false if the reservation was a denial or is cancelled
     * @throws IllegalArgumentException if a request has fewer permits than that, refunds before this one included
     */
    public boolean refund(long permits) {
        if (!decision().allowed()) {
            return false;
        }
        long before;
        do {
            before = refunded.get();
            if (before == CANCELLED) {
                return false;
            }
            for (RateLimiter.Request request : requests) {
                Checks.range("permits to give back", permits, 1, request.permits() - before);
            }
        } while (!refunded.compareAndSet(before, before + permits));
        booking.giveBack(permits);
        requests.forEach(request -> request.tellGivenBack(permits));
        return true;
    }

    private long waitLeft() {
        long wait = decision().waitNanos();
        long waited = clock.nanos() - receivedAt;
        return waited <= 0 ? wait : Math.max(0, wait - waited);
    }
}
