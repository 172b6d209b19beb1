package dev.weir;

import dev.weir.internal.Futures;
import dev.weir.internal.Listeners;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a limiter, and its operations that grant nothing: those that look at the state of a key or change it. Its public
 * methods are not final, for the same reason as those of {@link LimitSpec}.
 */
abstract class LimiterBase extends Request.Owner {
    private static final int DEFAULT_MAX_RUNS = 1_000;

    private final String name;
    private final @Nullable Function<String, Limits> limitsByKey;
    private volatile @Nullable Limits limits;
    final Store store;
    final FailurePolicy failurePolicy;
    final FailurePolicy.Fallback fallback; // of that policy
    final Executor executor; // completes what a store answers on a thread of its own
    final Executor waitExecutor; // completes waits
    final Listeners<LimiterListener> listeners;

    /** The parts of a limiter; either limits are fixed, or they depend on the key. */
    record Parts(
            String name,
            @Nullable Function<String, Limits> limitsByKey,
            @Nullable Limits limits,
            Store store,
            FailurePolicy failurePolicy,
            Executor executor,
            Executor waitExecutor,
            List<LimiterListener> listeners) {}

    LimiterBase(Parts parts) {
        name = parts.name;
        limitsByKey = parts.limitsByKey;
        limits = parts.limits;
        store = parts.store;
        failurePolicy = parts.failurePolicy;
        fallback = failurePolicy.fallback(store);
        executor = parts.executor;
        waitExecutor = parts.waitExecutor;
        listeners = new Listeners<>(parts.listeners);
    }

    /** {@return the name, which separates this limiter's keys from those of others in the same store} */
    public String name() {
        return name;
    }

    /** {@return the time source on which this limiter waits: that of its store} */
    public TimeSource timeSource() {
        return store.timeSource();
    }

    /**
     * {@return what {@link RateLimiter#tryAcquire(String)} would return now, and writes nothing} What remains and the
     * reset-after are those before the permit is taken.
     *
     * @param key the key
     */
    @CheckReturnValue
    public Decision peek(String key) {
        return peek(key, 1);
    }

    /**
     * {@return what {@link RateLimiter#tryAcquire(String, long)} would return now, and writes nothing} What remains and the
     * reset-after are those before the permits are taken. Where attempts count, the retry-after is that of a caller that has
     * not tried.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     */
    @CheckReturnValue
    public Decision peek(String key, long permits) {
        Request request = current(key, permits);
        try {
            return Futures.join(store.peekAsync(request));
        } catch (StoreException failure) {
            return peekByPolicy(request, failure);
        }
    }

    /**
     * {@return what {@link #peek(String)} returns, without blocking}
     * @param key the key
     */
    @CheckReturnValue
    public CompletableFuture<Decision> peekAsync(String key) {
        return peekAsync(key, 1);
    }

    /**
     * {@return what {@link #peek(String, long)} returns, without blocking}
     * @param key the key
     * @param permits the number of permits, at least 1
     */
    @CheckReturnValue
    public CompletableFuture<Decision> peekAsync(String key, long permits) {
        return peeked(current(key, permits));
    }

    /**
     * {@return what a request would be answered now, without blocking, and writes nothing; see {@link #peek(String, long)}}
     * @param request a request of this limiter
     * @throws IllegalArgumentException if another limiter made the request
     */
    @CheckReturnValue
    public CompletableFuture<Decision> peekAsync(Request request) {
        if (request.owner() != this) {
            throw new IllegalArgumentException("the request must be of limiter '" + name + "', was " + request);
        }
        return peeked(request.current());
    }

    /** Answers on the limiter's executor, where the failure policy and the listeners run if the store fails. */
    private CompletableFuture<Decision> peeked(Request request) {
        return onExecutor(request, store::peekAsync).exceptionally(failure -> {
            if (Futures.cause(failure) instanceof StoreException storeFailure) {
                return peekByPolicy(request, storeFailure);
            }
            throw new CompletionException(Futures.cause(failure));
        });
    }

    private Decision peekByPolicy(Request request, StoreException failure) {
        notifyFailed(request.key(), failure);
        return fallback.peek(request);
    }

    /**
     * {@return what {@link #inspect(String, int)} returns, with up to 1,000 runs for each limit}
     * @param key the key
     * @throws StoreException if the store fails
     */
    @CheckReturnValue
    public KeySnapshot inspect(String key) {
        return inspect(key, DEFAULT_MAX_RUNS);
    }

    /**
     * Describes the state of a key, for operators: one atomic step that writes nothing.
     *
     * @param key the key
     * @param maxRuns the most runs, and the most pending reservations, to report for each limit: the newest; at least 0
     * @return the snapshot
     * @throws StoreException if the store fails
     */
    @CheckReturnValue
    public KeySnapshot inspect(String key, int maxRuns) {
        Checks.range("maxRuns", maxRuns, 0, Integer.MAX_VALUE);
        return Futures.join(store.inspectAsync(current(key, 1), maxRuns));
    }

    /**
     * {@return what {@link #inspect(String)} returns, without blocking}
     * @param key the key
     */
    @CheckReturnValue
    public CompletableFuture<KeySnapshot> inspectAsync(String key) {
        return inspectAsync(key, DEFAULT_MAX_RUNS);
    }

    /**
     * {@return what {@link #inspect(String, int)} returns, without blocking}
     * @param key the key
     * @param maxRuns the most runs, and the most pending reservations, to report for each limit; at least 0
     */
    @CheckReturnValue
    public CompletableFuture<KeySnapshot> inspectAsync(String key, int maxRuns) {
        Checks.range("maxRuns", maxRuns, 0, Integer.MAX_VALUE);
        return onExecutor(current(key, 1), request -> store.inspectAsync(request, maxRuns));
    }

    /**
     * Forgets what a key was granted and lifts its block. Pending reservations stay due.
     *
     * @param key the key
     * @throws StoreException if the store failed; the key may have been reset or not
     */
    public void reset(String key) {
        Futures.join(store.resetAsync(current(key, 1)));
    }

    /**
     * {@return a future that completes when the key is {@linkplain #reset reset}, or fails, without blocking}
     * @param key the key
     */
    public CompletableFuture<Void> resetAsync(String key) {
        return onExecutor(current(key, 1), store::resetAsync);
    }

    /**
     * Denies all requests for a key for the given duration (see {@link Decision#blocked}), except those that can wait until it
     * ends. Pending reservations stay due. Does not shorten an earlier block.
     *
     * @param key the key
     * @param duration at least 1 ns; the store may cut it to 142 years
     * @throws StoreException if the store failed; the key may be blocked or not
     */
    public void block(String key, Duration duration) {
        long nanos = Checks.nanos("duration", duration);
        Futures.join(store.blockAsync(current(key, 1), nanos));
    }

    /**
     * {@return a future that completes when the key is {@linkplain #block blocked}, or fails, without blocking a thread}
     * @param key the key
     * @param duration at least 1 ns; the store may cut it to 142 years
     */
    public CompletableFuture<Void> blockAsync(String key, Duration duration) {
        long nanos = Checks.nanos("duration", duration);
        return onExecutor(current(key, 1), request -> store.blockAsync(request, nanos));
    }

    /**
     * Lifts the block of a key. Its grants still count.
     *
     * @param key the key
     * @throws StoreException if the store failed; the block may be lifted or not
     */
    public void unblock(String key) {
        Futures.join(store.unblockAsync(current(key, 1)));
    }

    /**
     * {@return a future that completes when the block is {@linkplain #unblock lifted}, or fails, without blocking}
     * @param key the key
     */
    public CompletableFuture<Void> unblockAsync(String key) {
        return onExecutor(current(key, 1), store::unblockAsync);
    }

    /** Returns what an operation of the store returns, on the limiter's executor; a failed future if it throws. */
    private <T extends @Nullable Object> CompletableFuture<T> onExecutor(
            Request request, Function<Request, CompletableFuture<T>> operation) {
        return Futures.on(executor, Futures.attempt(() -> operation.apply(request)));
    }

    /**
     * {@return a request to be decided together with others; see {@link RateLimiter#tryAcquireAll}}
     * @param key the key
     * @param permits the number of permits, at least 1
     */
    public Request request(String key, long permits) {
        return new Request(name, null, Checks.key(key), permits, this);
    }

    /** Returns a request with the limits that are in force now. */
    final Request current(String key, long permits) {
        return new Request(name, limits(key), key, permits, this);
    }

    /**
     * {@return a request with limits of its own instead of this limiter's} For a program that looks up the limits of each request
     * itself, as a server with rules does. As with {@link #changeLimits}, the state of the key is carried over when its limits
     * change; a program that uses other limits for the same key each time makes the store do that each time.
     *
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param limits the limits, which the store must be able to hold; see {@link Store#check}
     */
    public Request request(String key, long permits, Limits limits) {
        Objects.requireNonNull(limits, "limits must not be null");
        return new Request(name, limits, Checks.key(key), permits, this);
    }

    /**
     * {@return the limits in force for a key}
     * @param key the key
     */
    @Override
    public Limits limits(String key) {
        Checks.key(key);
        Limits fixed = limits;
        return fixed != null
                ? fixed
                : Objects.requireNonNull(
                        Objects.requireNonNull(limitsByKey).apply(key), "limitsByKey must not return null");
    }

    /**
     * Changes the limits, from the next decision on. State is carried over by the limits' names (by default their positions):
     * grants count under the new limits at once, and reservations stay. A limit whose algorithm changes starts empty. The state of up
     * to 64 limits that a key was used under before is kept until it is idle, in case they come back.
     *
     * @param limits the new limits
     * @throws IllegalStateException if this limiter's limits depend on the key
     * @throws IllegalArgumentException if the store cannot hold the limits; the old ones stay in force
     */
    public void changeLimits(Limits limits) {
        Objects.requireNonNull(limits, "limits must not be null");
        if (limitsByKey != null) {
            throw new IllegalStateException("limits depend on the key; change what limitsByKey returns instead");
        }
        store.check(limits);
        this.limits = limits;
    }

    /** Decides a request without a wait; by the failure policy if the store fails. */
    final Decision decideNow(Limits inForce, String key, long permits) {
        Decision decision;
        try {
            decision = store.decide(name, inForce, key, permits);
            if (decision.degraded()) {
                notifyFull(key);
            }
        } catch (StoreException failure) {
            notifyFailed(key, failure);
            Request request = Request.of(name, inForce, key, permits);
            decision = fallback.reserve(List.of(request), 0).decision();
        }
        notifyDecided(key, permits, decision);
        return decision;
    }

    final void notifyDecided(String key, long permits, Decision decision) {
        if (listeners.isEmpty()) {
            return; // without the lambda
        }
        listeners.notifyEach(listener -> listener.decided(name, key, permits, decision));
    }

    final void notifyFull(String key) {
        listeners.notifyEach(listener -> listener.storeFull(name, key));
    }

    @Override
    final void notifyRefunded(String key, long permits, long timeNanos) {
        listeners.notifyEach(listener -> listener.refunded(name, key, permits, timeNanos));
    }

    final void notifyFailed(String key, StoreException failure) {
        listeners.notifyEach(listener -> listener.storeFailed(name, key, failure));
    }

    @Override
    public String toString() {
        return "RateLimiter[name=" + name + ", limits=" + (limits != null ? limits : "by key") + "]";
    }
}
