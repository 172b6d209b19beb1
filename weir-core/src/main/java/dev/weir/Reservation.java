package dev.weir;

import dev.weir.internal.Futures;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A reservation of permits: they are granted at a known instant, and no later request delays it. If the decision is a denial,
 * nothing is reserved, and there is nothing to wait for or to refund. Thread-safe.
 */
public final class Reservation {
    private static final long CANCELLED = -1;

    private final List<Request> requests;
    private final StoreReservation reservation;
    private final TimeSource timeSource;
    private final Executor executor;
    private final long receivedAt;
    private final AtomicLong refunded = new AtomicLong(); // permits of each request, or CANCELLED
    private final AtomicReference<@Nullable CompletableFuture<Void>> due = new AtomicReference<>();

    Reservation(List<Request> requests, StoreReservation reservation, TimeSource timeSource, Executor executor) {
        this.requests = requests;
        this.reservation = reservation;
        this.timeSource = timeSource;
        this.executor = executor;
        try {
            this.receivedAt = reservation.decision().waitNanos() == 0 ? 0 : timeSource.nanos();
        } catch (RuntimeException | Error failure) { // nobody receives this reservation
            cancel();
            throw failure;
        }
    }

    /** {@return the decision: how long to wait, or why the reservation was denied} */
    public Decision decision() {
        return reservation.decision();
    }

    /**
     * Waits until the permits are granted. Returns at once if the reservation was denied or needs no wait.
     *
     * @return the decision
     * @throws InterruptedException if the thread is interrupted; this reservation is then cancelled
     * @throws CancellationException if this reservation is or gets cancelled
     * @throws IllegalStateException if the wait of the time source fails; this reservation is then cancelled
     */
    @CheckReturnValue
    public Decision await() throws InterruptedException {
        try {
            Futures.attempt(this::due).get();
            if (isCancelled()) {
                throw new CancellationException("the reservation is cancelled");
            }
            return decision();
        } catch (InterruptedException | CancellationException failure) {
            cancel();
            throw failure;
        } catch (ExecutionException failure) {
            cancel();
            throw new IllegalStateException("the time source could not wait", failure);
        }
    }

    /**
     * {@return a future that completes once the permits are granted, or at once if the reservation was denied or needs no wait}
     * No thread waits. Cancelling the future, or completing it in another way (a timeout), cancels this reservation; cancelling
     * the reservation cancels the future. If the time source or the limiter's executor fails, so does the future, and this
     * reservation is cancelled. Dependent stages run on the limiter's executor, unless the future is complete already.
     */
    @CheckReturnValue
    public CompletableFuture<Decision> whenDue() {
        CompletableFuture<Decision> result = new CompletableFuture<>();
        completeWhenDue(result);
        return result;
    }

    /** Completes what {@link #whenDue()} would return. If someone else completes it first, this reservation is cancelled. */
    void completeWhenDue(CompletableFuture<Decision> result) {
        if (decision().waitNanos() == 0) {
            complete(result, null);
            return;
        }
        CompletableFuture<Void> reached = Futures.attempt(this::due);
        CompletableFuture<Void> unused =
                Futures.on(executor, reached).whenComplete((passed, failure) -> complete(result, failure));
        CompletableFuture<Decision> unusedToo = result.whenComplete((decision, failure) -> {
            if (!reached.isDone()) {
                cancel();
            }
        });
    }

    /** Completes a wait, with a failure if the time source or executor failed or the reservation was cancelled before this ran. */
    private void complete(CompletableFuture<Decision> result, @Nullable Throwable failure) {
        Throwable cause = failure != null
                ? Futures.cause(failure)
                : isCancelled() ? new CancellationException("the reservation is cancelled") : null;
        boolean completed = cause == null ? result.complete(decision()) : result.completeExceptionally(cause);
        if (!completed || cause != null) {
            cancel(); // someone else completed it first, or nobody will use the permits
        }
    }

    private boolean isCancelled() {
        return refunded.get() == CANCELLED;
    }

    /** Returns the future of the grant, which is cancelled with the reservation; the same one for all callers. */
    private CompletableFuture<Void> due() {
        CompletableFuture<Void> known = due.get();
        if (known != null) {
            return known;
        }
        CompletableFuture<Void> made = startTimer();
        known = due.compareAndExchange(null, made);
        if (known != null) {
            made.cancel(false);
            return known;
        }
        if (isCancelled()) {
            made.cancel(false);
        }
        return made;
    }

    private CompletableFuture<Void> startTimer() {
        if (decision().waitNanos() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        long waited = Math.max(0, timeSource.nanos() - receivedAt);
        long rest = Math.max(0, decision().waitNanos() - waited);
        return Objects.requireNonNull(timeSource.after(rest), "timeSource.after must not return null");
    }

    /**
     * Cancels this reservation, before or after its permits are granted, and releases those that were not refunded; see {@link
     * #refund} for what is exact. Callers that wait for it receive a {@link CancellationException}.
     *
     * @return false if the reservation was denied or is cancelled already
     */
    public boolean cancel() {
        long before = decision().allowed() ? refunded.getAndSet(CANCELLED) : CANCELLED;
        if (before == CANCELLED) {
            return false;
        }
        reservation.cancel(before);
        CompletableFuture<Void> waiting = due.get();
        if (waiting != null) {
            waiting.cancel(false);
        }
        for (Request request : requests) {
            if (request.permits() > before) {
                notifyRefunded(request, request.permits() - before);
            }
        }
        return true;
    }

    /**
     * Refunds permits of each request, for example those that a call did not need in the end. Exact for logs and windows, and for
     * the newest grant of a token bucket, a leaky bucket or GCRA. The permits are forfeited for an older grant and a second refund
     * of these, where attempts count, and after most changes of a limit that is no log. Has no effect on permits that have expired,
     * or on a key that was reset since.
     *
     * @param permits the number of permits of each request, zero or more
     * @return false if the reservation was denied or is cancelled
     * @throws IllegalArgumentException if a request has fewer permits left, earlier refunds included
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
            for (Request request : requests) {
                Checks.range("permits to refund", permits, 0, request.permits() - before);
            }
        } while (!refunded.compareAndSet(before, before + permits));
        if (permits > 0) {
            reservation.refund(permits);
            requests.forEach(request -> notifyRefunded(request, permits));
        }
        return true;
    }

    private void notifyRefunded(Request request, long permits) {
        long grantedAt = decision().timeNanos() + decision().waitNanos();
        request.owner().notifyRefunded(request.key(), permits, grantedAt);
    }

    @Override
    public String toString() {
        return "Reservation[" + decision() + (isCancelled() ? ", cancelled" : "") + "]";
    }
}
