package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.TimeSource;
import dev.weir.internal.Futures;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call's way to its permit: reserves the permits of all its keys together, waits until they are due, and starts again if they
 * must not be used by then, because they are too old or the server has blocked one of the keys meanwhile; or if they were denied
 * without the store, which may have some when it answers again. Without a thread, or on the caller's.
 *
 * <p>The age of a permit is counted from its instant on the store's clock, which {@link StoreClock} compares with ours; so it
 * includes the way back from the store, also if the process was paused there. A permit that is not used is cancelled: it was
 * for nothing else, so the log holds exactly the calls that are made.
 *
 * <p>Ends: a permit found too old has taken at least that age, and there are tries only until the longest wait has passed, or
 * {@link #TRIES}. They become fewer, as each try takes time of the store and of this machine.
 */
final class OutboundAcquisition {
    private static final int TRIES = 3; // at least, so that one pause does not fail a call that need not wait

    private static final int MAX_DOUBLINGS = 2; // of the pause, while the store fails

    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final OutboundState outbound;
    private final OutboundLearning learning;
    private final List<OutboundKey> keys;
    private final Request[] requests; // one for each key
    private final TimeSource time;
    private final long startedAt;
    private final CompletableFuture<OutboundPermit> result = new CompletableFuture<>();
    private volatile @Nullable Reservation current;
    private volatile @Nullable CompletableFuture<?> waiting; // for the store, or for the end of a pause

    /* Used by one step after the other. */
    private int tries; // that ended with a late permit
    private int failures; // denials without the store
    private long notBefore; // the next try
    private boolean degraded; // the decision that granted the latest permit

    /**
     * Creates an acquisition, which is not started.
     *
     * @param keys at least one
     * @param requests one for each key
     */
    OutboundAcquisition(
            OutboundState outbound, OutboundLearning learning, List<OutboundKey> keys, List<Request> requests) {
        this.outbound = outbound;
        this.learning = learning;
        this.keys = keys;
        this.requests = requests.toArray(new Request[0]);
        this.time = keys.get(0).limiter().timeSource();
        this.startedAt = time.nanos();
        this.notBefore = startedAt;
    }

    /** Returns a future of the permit. Cancelling it, or completing it in another way, cancels what is reserved. */
    CompletableFuture<OutboundPermit> start() {
        CompletableFuture<OutboundPermit> unused = result.whenComplete((permit, failure) -> abandon());
        CompletableFuture<Void> unusedToo =
                CompletableFuture.<@Nullable Void>completedFuture(null).whenComplete(step(started -> next()));
        return result;
    }

    private void abandon() {
        Reservation reservation = current;
        CompletableFuture<?> step = waiting;
        if (reservation != null) {
            reservation.cancel();
        }
        if (step != null) {
            step.cancel(false);
        }
    }

    /** Waits for a step, which is cancelled if the result is completed first. */
    private <T> CompletableFuture<T> cancelledWithResult(CompletableFuture<T> step) {
        waiting = step;
        if (result.isDone()) {
            step.cancel(false); // the caller was here first
        }
        return step;
    }

    /** Returns a step that is taken with a value. What it throws is the result, or what there is instead of the value. */
    private <T extends @Nullable Object> BiConsumer<T, @Nullable Throwable> step(Consumer<T> step) {
        return (value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Futures.cause(failure));
                return;
            }
            try {
                step.accept(value);
            } catch (RuntimeException | Error thrown) { // else the future stays incomplete
                result.completeExceptionally(thrown);
            }
        };
    }

    /** Acquires the permit on this thread, which also looks at its age: the last moment before the call. */
    OutboundPermit await() throws InterruptedException {
        try {
            OutboundPermit permit = null;
            while (permit == null) {
                long pause = pauseNanos();
                if (pause > 0) {
                    pause(pause);
                } else {
                    permit = reserveAndAwait();
                }
            }
            return permit;
        } catch (InterruptedException | RuntimeException | Error failure) {
            abandon();
            throw failure;
        }
    }

    private @Nullable OutboundPermit reserveAndAwait() throws InterruptedException {
        long requestedAt = time.nanos();
        long stamp = outbound.blocks.stamp();
        // A future would be interruptible, but completes on the limiter's executor, whose only thread this may be.
        Reservation reservation = RateLimiter.reserveAll(remainingWait(NANOS_PER_MILLI), requests);
        current = reservation;
        if (Thread.interrupted()) { // await() does not notice if the permit is due already
            throw new InterruptedException();
        }
        long dueAt = dueAt(reservation.decision(), requestedAt);
        Decision unused = reservation.await();
        return use(reservation, dueAt, stamp);
    }

    private void pause(long nanos) throws InterruptedException {
        CompletableFuture<Void> ended = time.after(nanos);
        try {
            ended.get();
        } catch (InterruptedException interrupted) {
            ended.cancel(false);
            throw interrupted;
        } catch (ExecutionException failure) {
            throw new IllegalStateException("the time source could not wait", failure);
        }
    }

    private void next() {
        long pause = pauseNanos();
        if (pause <= 0) {
            reserve();
            return;
        }
        CompletableFuture<Void> unused = Futures.on(time.executor(), cancelledWithResult(time.after(pause)))
                .whenComplete(step(ended -> next()));
    }

    /**
     * Returns how long to wait before the next try: for the end of a block that is unknown to the store, or to the failure policy if
     * the store failed; and after late permits.
     */
    private long pauseNanos() {
        long stamp = degraded ? OutboundBlocks.NOT_OF_STORE : outbound.blocks.stamp();
        long now = time.nanos();
        long longest = notBefore - now;
        for (OutboundKey key : keys) {
            long nanos = outbound.blocks.waitNanos(key, stamp, now);
            if (nanos > remainingWait().toNanos()) {
                Limit limit = key.limits().get(0);
                Decision denial = Decision.denied(limit, 0, Duration.ofNanos(nanos), Duration.ofNanos(nanos));
                throw new OutboundLimitException(key.limiter().name(), denial.asBlocked());
            }
            longest = Math.max(longest, nanos);
        }
        return longest;
    }

    private void reserve() {
        long requestedAt = time.nanos();
        long stamp = outbound.blocks.stamp();
        CompletableFuture<Reservation> unused = cancelledWithResult(
                        RateLimiter.reserveAllAsync(remainingWait(NANOS_PER_MILLI), requests))
                .whenComplete(step(reservation -> await(reservation, requestedAt, stamp)));
    }

    /** Returns when the permit is due, on our clock: not later than it is. */
    private long dueAt(Decision decision, long requestedAt) {
        // What is decided without the store is decided on our clock. A denial may be a cached one, whose time is not
        // that of the store.
        boolean comparable = decision.allowed() && !decision.degraded();
        long ahead = comparable ? outbound.clock(keys).ahead(requestedAt, time.nanos(), decision.timeNanos()) : 0;
        return decision.timeNanos() - ahead + decision.waitNanos();
    }

    private void await(Reservation reservation, long requestedAt, long stamp) {
        current = reservation;
        if (result.isDone()) {
            reservation.cancel(); // the caller was here first
            return;
        }
        long dueAt = dueAt(reservation.decision(), requestedAt);
        CompletableFuture<Decision> unused =
                reservation.whenDue().whenComplete(step(due -> complete(use(reservation, dueAt, stamp), reservation)));
    }

    private void complete(@Nullable OutboundPermit permit, Reservation reservation) {
        if (permit == null) {
            next();
            return;
        }
        current = null;
        if (!result.complete(permit)) {
            reservation.cancel();
        }
    }

    /** Returns the permit of a reservation that is due; null if it must not be used, but another one. */
    private @Nullable OutboundPermit use(Reservation reservation, long dueAt, long requestStamp) {
        Decision decision = reservation.decision();
        long now = time.nanos();
        if (decision.blocked() && decision.retryAfter().compareTo(remainingWait()) < 0) {
            notBefore = now + decision.retryAfterNanos(); // buckets and GCRA reserve nothing behind a block
            return null;
        } else if (!decision.allowed()) {
            if (!decision.degraded() || decision.never() || remainingWait().isZero()) {
                throw denied(decision);
            }
            // the store may have permits when it answers
            backOff(now, OutboundLearning.FIRST_PAUSE_NANOS, Math.min(failures++, MAX_DOUBLINGS));
            return null;
        }
        degraded = decision.degraded();
        long stamp = degraded ? OutboundBlocks.NOT_OF_STORE : requestStamp;
        boolean late = now - dueAt > outbound.useWithinNanos(keys);
        if (!late && keys.stream().allMatch(key -> outbound.blocks.waitNanos(key, stamp, now) == 0)) {
            return new OutboundPermit(
                    learning, new OutboundLearning.Call(keys.get(0), List.of(requests), dueAt, stamp, reservation));
        }
        reservation.cancel();
        if (late) {
            tries++;
            afterLatePermit(now);
        }
        return null;
    }

    private void afterLatePermit(long now) {
        OutboundKey first = keys.get(0);
        String name = first.limiter().name();
        outbound.latePermits.increment();
        if (tries >= TRIES) {
            outbound.log.warn("permits of limiter '" + name + "' are older than useWithin when they arrive", null);
            if (remainingWait().isZero()) {
                throw new OutboundLimitException(
                        name,
                        Decision.denied(first.limits().get(0), 0, Duration.ZERO, Duration.ZERO),
                        "permits were older than useWithin when they arrived");
            }
        }
        if (tries > 1) { // not after a single pause
            backOff(now, outbound.useWithinNanos(keys), tries - 1);
        }
    }

    /** Sets the time of the next try: exponential backoff, since more tries would make the permits of all calls later still. */
    private void backOff(long now, long firstNanos, int doublings) {
        double chosen = ThreadLocalRandom.current().nextDouble() * Math.scalb((double) firstNanos, doublings);
        notBefore = now + (long) Math.min(chosen, (double) remainingWait().toNanos());
    }

    private Duration remainingWait() {
        return remainingWait(1);
    }

    /**
     * Returns what is left of the longest wait, of which whole steps pass. A store on Redis sends equal requests together, so those
     * of calls that begin at the same time must not differ by nanoseconds.
     */
    private Duration remainingWait(long stepNanos) {
        long passed = Math.max(0, time.nanos() - startedAt);
        Duration left = outbound.settings.maxWait().minusNanos(passed - passed % stepNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Names the limiter whose permits are available last. */
    private OutboundLimitException denied(Decision denial) {
        Status latest = Collections.max(denial.statuses(), Comparator.comparingLong(Status::retryAfterNanos));
        return new OutboundLimitException(keys.get(latest.request()).limiter().name(), denial);
    }
}
