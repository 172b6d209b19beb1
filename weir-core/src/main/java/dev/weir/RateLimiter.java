package dev.weir;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter that counts each key (a user, an address, a provider) under its {@link Limits}. A request is allowed if every
 * limit allows it; a denied request consumes nothing, except of limits that {@linkplain Limit.SlidingLog.Count count attempts}.
 *
 * <pre>{@code
 * RateLimiter perUser = RateLimiter.of(Limit.slidingLog(100, Duration.ofMinutes(1)));
 * Decision d = perUser.tryAcquire(userId);
 * if (!d.allowed()) return tooManyRequests(d.retryAfterSeconds());
 * }</pre>
 *
 * <p>Methods named {@code try...} return a decision that may be a denial; {@code acquire}, {@code call} and {@code run} succeed
 * or throw {@link RateLimitedException}. Waiting is first come, first served: a request reserves the earliest instant that fits
 * all its limits, and no later request delays it. A wait is denied at once if it is known to exceed {@code maxWait} or 73 years,
 * or if a block or another limit makes it longer than a token bucket, leaky bucket, GCRA or fixed window with {@code align=first}
 * requires.
 *
 * <p>If the store fails, the {@link FailurePolicy} decides, and the decision is {@linkplain Decision#degraded degraded}.
 *
 * <p>Thread-safe. A key is any string of 1 to 1,024 bytes in UTF-8. Every method, also if it returns a future, throws {@link
 * NullPointerException} for null, and {@link IllegalArgumentException} for a key that is empty or too long, for permits below 1,
 * for a negative wait, and for requests that cannot be decided together. Cost: with the store in memory, some tens of nanoseconds
 * for a decision.
 */
public final class RateLimiter extends AcquiringLimiter {
    RateLimiter(Parts parts) {
        super(parts);
    }

    /**
     * {@return a limiter in memory, with a store of its own}
     * @param limits 1 to 16 limits, which all hold; their names, where they have one, must differ
     */
    public static RateLimiter of(Limit... limits) {
        return builder().limits(Limits.of(limits)).build();
    }

    /** {@return a builder of a limiter} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Acquires the permits of all requests, such as those of a user and their tenant, if all are available now, or else none. {@link
     * Decision#statuses} reports each request.
     *
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return the decision
     */
    @CheckReturnValue
    public static Decision tryAcquireAll(Request... requests) {
        return RequestGroup.of(requests).decide();
    }

    /**
     * {@return what {@link #tryAcquireAll(Request...)} returns, without blocking}
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     */
    @CheckReturnValue
    public static CompletableFuture<Decision> tryAcquireAllAsync(Request... requests) {
        return tryAcquireAllAsync(Duration.ZERO, requests);
    }

    /**
     * Acquires the permits of all requests or none, and waits for them if necessary, first come, first served. Returns once they
     * are granted, or at once with a denial if that would take longer than {@code maxWait}.
     *
     * @param maxWait the longest wait
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return the decision
     * @throws InterruptedException if the thread is interrupted; the reservation is then cancelled
     */
    @CheckReturnValue
    public static Decision tryAcquireAll(Duration maxWait, Request... requests) throws InterruptedException {
        return RequestGroup.of(requests).acquire(maxWait);
    }

    /**
     * Acquires the permits of all requests or none when they are available, first come, first served. No thread waits. Cancelling
     * the future, or completing it in another way (a timeout), cancels exactly this reservation.
     *
     * @param maxWait the longest wait
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     * @return a future that completes once the permits are granted, or at once with a denial
     */
    @CheckReturnValue
    public static CompletableFuture<Decision> tryAcquireAllAsync(Duration maxWait, Request... requests) {
        return RequestGroup.of(requests).acquireAsync(maxWait);
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
        return RequestGroup.of(requests).reserve(maxWait);
    }

    /**
     * {@return what {@link #reserveAll} returns, without blocking}
     * @param maxWait the longest wait
     * @param requests 1 to 64 requests of limiters that share a store; no two with the same limiter and key
     */
    @CheckReturnValue
    public static CompletableFuture<Reservation> reserveAllAsync(Duration maxWait, Request... requests) {
        return RequestGroup.of(requests).reserveAsync(maxWait);
    }

    /** A builder of {@link RateLimiter}. Limits are required; everything else has a default. Not thread-safe. */
    public static final class Builder {
        private static final String DEFAULT_NAME = "default";

        private @Nullable String name;
        private final List<Limit> listed = new ArrayList<>();
        private @Nullable Limits limits;
        private @Nullable Function<String, Limits> limitsByKey;
        private @Nullable Store store;
        private @Nullable TimeSource timeSource;
        private FailurePolicy failurePolicy = FailurePolicy.local(1);
        private @Nullable Executor executor;
        private final List<LimiterListener> listeners = new ArrayList<>();

        Builder() {}

        /**
         * Sets the name, which separates this limiter's keys from those of others in the same store. Required with {@link #store}.
         * Limiters of the same name in the same store share their keys' state.
         *
         * @param name a letter and up to 63 more letters, digits, {@code .}, {@code _} or {@code -}; by default "default"
         * @return this builder
         */
        public Builder name(String name) {
            this.name = Checks.name(name);
            return this;
        }

        /**
         * Adds a limit from its text.
         *
         * @param text see {@link Limit#parse}
         * @return this builder
         */
        public Builder limit(String text) {
            return limit(Limit.parse(text));
        }

        /**
         * Adds a limit; all limits added hold.
         *
         * @param limit the limit
         * @return this builder
         */
        public Builder limit(Limit limit) {
            listed.add(Objects.requireNonNull(limit, "limit must not be null"));
            return this;
        }

        /**
         * Sets all limits at once, instead of {@link #limit}.
         *
         * @param limits the limits
         * @return this builder
         */
        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits must not be null");
            return this;
        }

        /**
         * Sets limits that depend on the key, for example on a user's plan, instead of fixed ones. The function is called for each
         * operation on a key, which fails with what it throws; it should be fast and return the same object for the same plan. If
         * the store cannot hold the limits, operations fail with {@link IllegalArgumentException}; see {@link Store#check}.
         *
         * @param limitsByKey returns the limits of a key, never null
         * @return this builder
         */
        public Builder limitsByKey(Function<String, Limits> limitsByKey) {
            this.limitsByKey = Objects.requireNonNull(limitsByKey, "limitsByKey must not be null");
            return this;
        }

        /**
         * Sets the store that holds the state; the limiter then needs a {@link #name}.
         *
         * @param store by default a {@link MemoryStore} of the limiter's own
         * @return this builder
         */
        public Builder store(Store store) {
            this.store = Objects.requireNonNull(store, "store must not be null");
            return this;
        }

        /**
         * Sets what decides while the store fails. A store in memory does not fail.
         *
         * @param policy by default {@link FailurePolicy#local local(1)}
         * @return this builder
         */
        public Builder whenStoreFails(FailurePolicy policy) {
            this.failurePolicy = Objects.requireNonNull(policy, "policy must not be null");
            return this;
        }

        /**
         * Sets the time source of the limiter's own store. A limiter with a {@link #store} uses that store's time source.
         *
         * @param timeSource by default {@link TimeSource#system}
         * @return this builder
         */
        public Builder timeSource(TimeSource timeSource) {
            this.timeSource = Objects.requireNonNull(timeSource, "timeSource must not be null");
            return this;
        }

        /**
         * Sets the executor that runs the dependent stages of asynchronous requests.
         *
         * @param executor by default the common pool, and for waits that are over {@link TimeSource#executor}
         * @return this builder
         */
        public Builder executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor, "executor must not be null");
            return this;
        }

        /**
         * Adds a listener.
         *
         * @param listener the listener
         * @return this builder
         */
        public Builder listener(LimiterListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
            return this;
        }

        /**
         * {@return the limiter}
         * @throws IllegalArgumentException if limits are missing or given in two ways, if the store cannot hold them, if a limiter
         *     with a store has no name, or if its time source is not the store's
         */
        public RateLimiter build() {
            checkLimits();
            if (store != null) {
                checkSharedStore(store);
            }
            return new RateLimiter(parts());
        }

        private void checkLimits() {
            int ways = (limits == null ? 0 : 1) + (listed.isEmpty() ? 0 : 1) + (limitsByKey == null ? 0 : 1);
            if (ways != 1) {
                throw new IllegalArgumentException(
                        "limits must be given in one way: limit(...), limits(...) or limitsByKey(...)"
                                + (ways == 0 ? "; none was given" : ""));
            }
        }

        private void checkSharedStore(Store shared) {
            if (name == null) {
                throw new IllegalArgumentException(
                        "name must be set for a limiter with a store(...): limiters of the same name share their keys' state");
            }
            if (timeSource != null && timeSource != shared.timeSource()) {
                throw new IllegalArgumentException("timeSource must be the store's, or not be set: the store has "
                        + shared.timeSource() + ", was " + timeSource);
            }
            Limits fixed = fixedLimits();
            if (fixed != null) {
                shared.check(fixed);
            }
        }

        private Parts parts() {
            TimeSource own = timeSource != null ? timeSource : TimeSource.system();
            Store used = store != null
                    ? store
                    : MemoryStore.builder().timeSource(own).build();
            TimeSource effective = used.timeSource();
            return new Parts(
                    name != null ? name : DEFAULT_NAME,
                    limitsByKey,
                    fixedLimits(),
                    used,
                    failurePolicy,
                    executor != null ? executor : ForkJoinPool.commonPool(),
                    executor != null ? executor : effective.executor(),
                    listeners);
        }

        private @Nullable Limits fixedLimits() {
            return limitsByKey != null ? null : limits != null ? limits : Limits.of(listed);
        }
    }
}
