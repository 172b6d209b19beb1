package dev.weir;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations of a limiter that acquire or reserve permits of one key. */
abstract class AcquiringLimiter extends LimiterBase {
    AcquiringLimiter(Parts parts) {
        super(parts);
    }

    /**
     * Acquires a permit if one is available now.
     *
     * @param key the key
     * @return the decision
     */
    @CheckReturnValue
    public Decision tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    /**
     * Acquires permits if all of them are available now.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @return the decision
     */
    @CheckReturnValue
    public Decision tryAcquire(String key, long permits) {
        Limits inForce = limits(key);
        return decideNow(inForce, key, Checks.permits(permits));
    }

    /**
     * {@return the decision on one permit, after a wait for it if necessary; see {@link #tryAcquire(String, long, Duration)}}
     * @param key the key
     * @param maxWait the longest wait
     * @throws InterruptedException if the thread is interrupted; the reservation is then cancelled
     */
    @CheckReturnValue
    public Decision tryAcquire(String key, Duration maxWait) throws InterruptedException {
        return tryAcquire(key, 1, maxWait);
    }

    /**
     * Acquires permits, and waits for them if necessary, first come, first served. Returns once they are granted, or at once
     * with a denial if that would take longer than {@code maxWait}.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param maxWait the longest wait
     * @return the decision
     * @throws InterruptedException if the thread is interrupted; the reservation is then cancelled
     */
    @CheckReturnValue
    public Decision tryAcquire(String key, long permits, Duration maxWait) throws InterruptedException {
        return RequestGroup.of(current(key, permits)).acquire(maxWait);
    }

    /**
     * Acquires a permit, and waits for it if necessary.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @return the decision, always allowed
     * @throws RateLimitedException if the request is denied, usually because the wait would exceed {@code maxWait}
     * @throws InterruptedException if the thread is interrupted; the reservation is then cancelled
     */
    public Decision acquire(String key, Duration maxWait) throws InterruptedException {
        return acquire(key, 1, maxWait);
    }

    /**
     * Acquires permits, and waits for them if necessary, first come, first served.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param maxWait the longest wait
     * @return the decision, always allowed
     * @throws RateLimitedException if the request is denied, usually because the wait would exceed {@code maxWait}
     * @throws InterruptedException if the thread is interrupted; the reservation is then cancelled
     */
    public Decision acquire(String key, long permits, Duration maxWait) throws InterruptedException {
        return allowed(tryAcquire(key, permits, maxWait));
    }

    private Decision allowed(Decision decision) {
        if (!decision.allowed()) {
            throw new RateLimitedException(name(), decision);
        }
        return decision;
    }

    /**
     * {@return what {@link #tryAcquire(String)} returns, without blocking}
     * @param key the key
     */
    @CheckReturnValue
    public CompletableFuture<Decision> tryAcquireAsync(String key) {
        return tryAcquireAsync(key, 1, Duration.ZERO);
    }

    /**
     * {@return what {@link #tryAcquire(String, long)} returns, without blocking}
     * @param key the key
     * @param permits the number of permits, at least 1
     */
    @CheckReturnValue
    public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
        return tryAcquireAsync(key, permits, Duration.ZERO);
    }

    /**
     * {@return a future of the decision on one permit; see {@link #tryAcquireAsync(String, long, Duration)}}
     * @param key the key
     * @param maxWait the longest wait
     */
    @CheckReturnValue
    public CompletableFuture<Decision> tryAcquireAsync(String key, Duration maxWait) {
        return tryAcquireAsync(key, 1, maxWait);
    }

    /**
     * Acquires permits when they are available, first come, first served. No thread waits, neither for the store nor for the
     * permits. Cancelling the future, or completing it in another way (a timeout), cancels exactly this reservation. Dependent
     * stages run on the limiter's executor, or on the calling thread if the decision is there at once.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param maxWait the longest wait
     * @return a future that completes once the permits are granted, or at once with a denial
     */
    @CheckReturnValue
    public CompletableFuture<Decision> tryAcquireAsync(String key, long permits, Duration maxWait) {
        return RequestGroup.of(current(key, permits)).acquireAsync(maxWait);
    }

    /**
     * {@return a reservation of one permit, which may be denied; see {@link #reserve(String, long, Duration)}}
     * @param key the key
     * @param maxWait the longest wait
     */
    @CheckReturnValue
    public Reservation reserve(String key, Duration maxWait) {
        return reserve(key, 1, maxWait);
    }

    /**
     * Reserves permits at the earliest instant that fits, if that is within {@code maxWait}. The caller waits until then.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param maxWait the longest wait
     * @return the reservation, which may be denied
     */
    @CheckReturnValue
    public Reservation reserve(String key, long permits, Duration maxWait) {
        return RequestGroup.of(current(key, permits)).reserve(maxWait);
    }

    /**
     * {@return what {@link #reserve(String, Duration)} returns, without blocking}
     * @param key the key
     * @param maxWait the longest wait
     */
    @CheckReturnValue
    public CompletableFuture<Reservation> reserveAsync(String key, Duration maxWait) {
        return reserveAsync(key, 1, maxWait);
    }

    /**
     * {@return what {@link #reserve(String, long, Duration)} returns, without blocking}
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param maxWait the longest wait
     */
    @CheckReturnValue
    public CompletableFuture<Reservation> reserveAsync(String key, long permits, Duration maxWait) {
        return RequestGroup.of(current(key, permits)).reserveAsync(maxWait);
    }

    /**
     * Acquires a permit as {@link #acquire(String, Duration)} does, then runs the task. A task that fails keeps its permit.
     *
     * @param <T> the type of the result
     * @param key the key
     * @param maxWait the longest wait
     * @param task the task
     * @return what the task returns
     * @throws RateLimitedException if the request is denied, usually because the wait would exceed {@code maxWait}
     * @throws Exception what the task throws, or {@link InterruptedException} if the wait is interrupted
     */
    public <T extends @Nullable Object> T call(String key, Duration maxWait, Callable<T> task) throws Exception {
        Objects.requireNonNull(task, "task must not be null");
        Decision unused = acquire(key, maxWait);
        return task.call();
    }

    /**
     * Acquires a permit as {@link #acquire(String, Duration)} does, then runs the task. A task that fails keeps its permit.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @param task the task
     * @throws RateLimitedException if the request is denied, usually because the wait would exceed {@code maxWait}
     * @throws CancellationException if the wait is interrupted; the thread stays interrupted, and the reservation is cancelled
     */
    public void run(String key, Duration maxWait, Runnable task) {
        Objects.requireNonNull(task, "task must not be null");
        try {
            Decision unused = acquire(key, maxWait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for a permit");
        }
        task.run();
    }

    /**
     * Acquires a permit without blocking, then starts the task. Cancelling the future before the permit is granted cancels the
     * reservation; after that it does not stop the task.
     *
     * @param <T> the type of the result
     * @param key the key
     * @param maxWait the longest wait
     * @param task starts the task; runs on the limiter's executor, or on the calling thread if the permit is available now
     * @return a future of what the task's stage completes with; it fails with a {@link CompletionException}, whose cause is a {@link
     *     RateLimitedException} if the request is denied
     */
    @CheckReturnValue
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            String key, Duration maxWait, Supplier<? extends CompletionStage<T>> task) {
        Objects.requireNonNull(task, "task must not be null");
        CompletableFuture<Decision> due = tryAcquireAsync(key, maxWait);
        // A stage of its own, which callers cannot cancel: a permit that is granted is used.
        CompletableFuture<CompletionStage<T>> started = due.thenApply(this::allowed)
                .thenApply(allowed -> Objects.requireNonNull(task.get(), "task must not return null"));
        CompletableFuture<T> result = started.thenCompose(stage -> stage);
        CompletableFuture<T> unused = result.whenComplete((value, failure) -> due.cancel(false));
        return result;
    }
}
