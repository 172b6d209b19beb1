package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.TimeSource;
import dev.weir.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call's way to a permit: reserves a permit, waits until it is due, and starts again if it must not be used by then, because
 * it is too old or the server has blocked the key meanwhile. No thread waits.
 *
 * <p>The age of a permit is counted from before the request was sent, since the store granted the permit at some time between
 * then and the answer, plus the wait. A permit that is not used is cancelled: it was for nothing else, so the log holds exactly
 * the calls that are made.
 *
 * <p>Ends: a permit found too old has taken at least that age, and there are tries only until the longest wait has passed, or
 * {@link #TRIES}.
 */
final class OutboundAcquisition {
    private static final int TRIES = 3; // at least, so that one pause does not fail a call that need not wait

    private final OutboundLimiter outbound;
    private final RateLimiter limiter;
    private final TimeSource time;
    private final String key;
    private final long startedAt;
    private final CompletableFuture<OutboundPermit> result = new CompletableFuture<>();
    private volatile @Nullable Reservation current;
    private volatile @Nullable CompletableFuture<?> pause;
    private int tries; // confined to one step after the other

    OutboundAcquisition(OutboundLimiter outbound, String key) {
        this.outbound = outbound;
        this.limiter = outbound.limiter();
        this.time = limiter.timeSource();
        this.key = key;
        this.startedAt = time.nanos();
    }

    /** Returns a future of the permit. Cancelling it cancels what is reserved. */
    CompletableFuture<OutboundPermit> start() {
        CompletableFuture<OutboundPermit> unused = result.whenComplete((permit, failure) -> abandon(failure));
        next();
        return result;
    }

    private void abandon(@Nullable Throwable failure) {
        Reservation reservation = current;
        CompletableFuture<?> waiting = pause;
        if (failure != null && reservation != null) {
            reservation.cancel();
        }
        if (waiting != null) {
            waiting.cancel(false);
        }
    }

    /** Takes the next step; what it throws is the result. */
    private void step(Runnable step) {
        if (!result.isDone()) {
            try {
                step.run();
            } catch (RuntimeException failure) {
                result.completeExceptionally(Futures.cause(failure));
            }
        }
    }

    private void next() {
        step(() -> {
            long blocked = outbound.blocks().waitNanos(key, time.nanos());
            if (blocked > 0) {
                waitForBlock(blocked);
            } else {
                reserve();
            }
        });
    }

    /** Waits for the end of a block that the store does not know. */
    private void waitForBlock(long nanos) {
        if (nanos > remainingWait().toNanos()) {
            Limit limit = limiter.limits(key).list().get(0);
            throw denied(Decision.denied(limit, 0, Duration.ofNanos(nanos), Duration.ofNanos(nanos))
                    .asBlocked());
        }
        CompletableFuture<Void> waiting = time.after(nanos);
        pause = waiting;
        CompletableFuture<Void> unused = waiting.whenCompleteAsync((none, failure) -> next(), time.executor());
    }

    private void reserve() {
        long requestedAt = time.nanos();
        long stamp = outbound.blocks().stamp();
        CompletableFuture<Reservation> unused = limiter.reserveAsync(key, remainingWait())
                .whenComplete((reservation, failure) -> {
                    if (failure == null) {
                        await(reservation, requestedAt, stamp);
                    } else {
                        result.completeExceptionally(Futures.cause(failure));
                    }
                });
    }

    private void await(Reservation reservation, long requestedAt, long stamp) {
        current = reservation;
        if (result.isDone()) {
            reservation.cancel(); // the caller was here first
            return;
        }
        CompletableFuture<Decision> unused = reservation.whenDue().whenComplete((decision, failure) -> {
            if (failure == null) {
                step(() -> use(reservation, requestedAt, stamp));
            } else {
                result.completeExceptionally(Futures.cause(failure));
            }
        });
    }

    private void use(Reservation reservation, long requestedAt, long stamp) {
        Decision decision = reservation.decision();
        if (!decision.allowed()) {
            throw denied(decision);
        }
        long now = time.nanos();
        // A failure policy decides in this process, after the store did not answer in time.
        long decidedAt = decision.degraded() ? Math.max(requestedAt, decision.timeNanos()) : requestedAt;
        boolean late = now - decidedAt - decision.waitNanos() > outbound.useWithinNanos(key);
        if (!late && !outbound.blocks().stops(key, stamp, now)) {
            OutboundPermit permit =
                    new OutboundPermit(new OutboundPermit.Granted(outbound.learning(), key, reservation));
            if (!result.complete(permit)) {
                reservation.cancel();
            }
            return;
        }
        reservation.cancel();
        if (late) {
            tries++;
            outbound.log().warn("permits of limiter '" + limiter.name() + "' are too old when they can be used", null);
        }
        if (tries >= TRIES && remainingWait().isZero()) {
            throw denied(Decision.denied(decision.limit(), decision.remaining(), Duration.ZERO, Duration.ZERO));
        }
        next();
    }

    private Duration remainingWait() {
        Duration left = outbound.maxWait().minusNanos(Math.max(0, time.nanos() - startedAt));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private RateLimitedException denied(Decision denial) {
        return new RateLimitedException(limiter.name(), denial);
    }
}
