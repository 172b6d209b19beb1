package dev.weir;

import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter that counts each key (a user, an address, a provider) under its {@link Limits}. A request is allowed if every
 * limit allows it; a denied request consumes nothing.
 *
 * <pre>{@code
 * RateLimiter perUser = RateLimiter.of(Limit.slidingLog(100, Duration.ofMinutes(1)));
 * Decision d = perUser.tryAcquire(userId);
 * if (!d.allowed()) return tooManyRequests(d.retryAfterSeconds());
 * }</pre>
 *
 * <p>Methods named {@code try...} return a decision that may be a denial; {@code acquire}, {@code call} and {@code run} succeed
 * or throw {@link RateLimitedException}. Waiting is first come, first served: a request reserves the earliest instant that fits
 * all its limits, and no later request delays it. A wait known to exceed {@code maxWait} is denied at once.
 *
 * <p>If the store fails, the {@link FailurePolicy} decides, and the decision is {@linkplain Decision#degraded degraded}.
 *
 * <p>Thread-safe. A key is any string of 1 to 1,024 bytes in UTF-8. Every method throws {@link NullPointerException} for null,
 * and {@link IllegalArgumentException} for a key that is empty or too long, for permits below 1 and for a negative wait; waits
 * above 292 years saturate. Cost: with the store in memory, some tens of nanoseconds for a decision.
 */
public final class RateLimiter extends LimiterBase {
    RateLimiter(RateLimiterBuilder builder) {
        super(builder);
    }

    /**
     * Creates a limiter in memory.
     *
     * @param limits one or more limits, which all hold
     * @return the limiter, with a store of its own
     */
    public static RateLimiter of(Limit... limits) {
        return builder().limits(Limits.of(limits)).build();
    }

    /** {@return a builder of a limiter} */
    public static RateLimiterBuilder builder() {
        return new RateLimiterBuilder();
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
        Decision decision;
        try {
            decision = store().decide(name(), inForce, key, Checks.permits(permits));
        } catch (StoreException failure) {
            notifyFailed(key, failure);
            decision = fallback().decide(name(), inForce, key, permits);
            notifyDecided(key, permits, decision, false);
            return decision;
        }
        notifyDecided(key, permits, decision, true);
        return decision;
    }

    /**
     * Acquires a permit, and waits for it if necessary; see {@link #tryAcquire(String, long, Duration)}.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @return the decision
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
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reserve(key, permits, maxWait).await();
    }

    /**
     * Acquires a permit, and waits for it if necessary.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @return the decision, always allowed
     * @throws RateLimitedException if the wait would exceed {@code maxWait}
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
     * @throws RateLimitedException if the wait would exceed {@code maxWait}
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
     * Acquires a permit if one is available now, without blocking.
     *
     * @param key the key
     * @return a future of the decision
     */
    @CheckReturnValue
    public CompletableFuture<Decision> tryAcquireAsync(String key) {
        return tryAcquireAsync(key, 1, Duration.ZERO);
    }

    /**
     * Acquires permits if all of them are available now, without blocking.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @return a future of the decision
     */
    @CheckReturnValue
    public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
        return tryAcquireAsync(key, permits, Duration.ZERO);
    }

    /**
     * Acquires a permit when it is available; see {@link #tryAcquireAsync(String, long, Duration)}.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @return a future of the decision
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
        return Reservation.whenDue(reserveAsync(key, permits, maxWait));
    }

    /**
     * Reserves a permit; see {@link #reserve(String, long, Duration)}.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @return the reservation, which may be denied
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
        return RequestGroup.of(request(key, permits)).reserve(Checks.nonNegativeNanos("maxWait", maxWait));
    }

    /**
     * Reserves a permit without blocking.
     *
     * @param key the key
     * @param maxWait the longest wait
     * @return a future of the reservation, which may be denied
     */
    @CheckReturnValue
    public CompletableFuture<Reservation> reserveAsync(String key, Duration maxWait) {
        return reserveAsync(key, 1, maxWait);
    }

    /**
     * Reserves permits without blocking.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param maxWait the longest wait
     * @return a future of the reservation, which may be denied
     */
    @CheckReturnValue
    public CompletableFuture<Reservation> reserveAsync(String key, long permits, Duration maxWait) {
        return RequestGroup.of(request(key, permits)).reserveAsync(Checks.nonNegativeNanos("maxWait", maxWait));
    }

    /**
     * Acquires a permit as {@link #acquire(String, Duration)} does, then runs the task. A task that fails keeps its permit.
     *
     * @param <T> the type of the result
     * @param key the key
     * @param maxWait the longest wait
     * @param task the task
     * @return what the task returns
     * @throws RateLimitedException if the wait would exceed {@code maxWait}
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
     * @throws RateLimitedException if the wait would exceed {@code maxWait}
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
     * @return a future of what the task's stage completes with; {@link RateLimitedException} if the wait would exceed {@code
     *     maxWait}
     */
    @CheckReturnValue
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            String key, Duration maxWait, Supplier<? extends CompletionStage<T>> task) {
        Objects.requireNonNull(task, "task must not be null");
        CompletableFuture<Decision> due = tryAcquireAsync(key, maxWait);
        CompletableFuture<T> result = due.thenCompose(decision -> {
            Decision unused = allowed(decision);
            return task.get();
        });
        CompletableFuture<T> unused = result.whenComplete((value, failure) -> due.cancel(false));
        return result;
    }

    /**
     * Acquires the permits of all requests if they are available now, or none: of a user and their tenant, for example. {@link
     * Decision#statuses} reports each request.
     *
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return the decision
     */
    @CheckReturnValue
    public static Decision tryAcquireAll(Request... requests) {
        return reserveAll(Duration.ZERO, requests).decision();
    }

    /**
     * Acquires the permits of all requests if they are available now, or none, without blocking.
     *
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return a future of the decision
     */
    @CheckReturnValue
    public static CompletableFuture<Decision> tryAcquireAllAsync(Request... requests) {
        return Reservation.whenDue(reserveAllAsync(Duration.ZERO, requests));
    }

    /**
     * Reserves the permits of all requests at the earliest instant that fits all of them, if that is within {@code maxWait}, or
     * none.
     *
     * @param maxWait the longest wait
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return the reservation, which may be denied
     */
    @CheckReturnValue
    public static Reservation reserveAll(Duration maxWait, Request... requests) {
        return RequestGroup.of(requests).reserve(Checks.nonNegativeNanos("maxWait", maxWait));
    }

    /**
     * Reserves the permits of all requests, or none, without blocking.
     *
     * @param maxWait the longest wait
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return a future of the reservation, which may be denied
     */
    @CheckReturnValue
    public static CompletableFuture<Reservation> reserveAllAsync(Duration maxWait, Request... requests) {
        return RequestGroup.of(requests).reserveAsync(Checks.nonNegativeNanos("maxWait", maxWait));
    }
}
