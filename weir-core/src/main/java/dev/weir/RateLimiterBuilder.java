package dev.weir;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A builder of {@link RateLimiter}. Limits are required; everything else has a default. Not thread-safe. */
public final class RateLimiterBuilder {
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

    RateLimiterBuilder() {}

    /**
     * Sets the name, which separates this limiter's keys from those of others in the same store. Required with {@link #store}.
     * Limiters of the same name in the same store share their keys' state.
     *
     * @param name a letter and up to 63 more letters, digits, {@code .}, {@code _} or {@code -}; by default "default"
     * @return this builder
     */
    public RateLimiterBuilder name(String name) {
        this.name = Checks.name("name", name);
        return this;
    }

    /**
     * Adds a limit from its text.
     *
     * @param text see {@link Limit#parse}
     * @return this builder
     */
    public RateLimiterBuilder limit(String text) {
        return limit(Limit.parse(text));
    }

    /**
     * Adds a limit; all limits added hold.
     *
     * @param limit the limit
     * @return this builder
     */
    public RateLimiterBuilder limit(Limit limit) {
        listed.add(Objects.requireNonNull(limit, "limit must not be null"));
        return this;
    }

    /**
     * Sets all limits at once, instead of {@link #limit}.
     *
     * @param limits the limits
     * @return this builder
     */
    public RateLimiterBuilder limits(Limits limits) {
        this.limits = Objects.requireNonNull(limits, "limits must not be null");
        return this;
    }

    /**
     * Sets limits that depend on the key, for example on a user's plan, instead of fixed ones. Called before each decision; it
     * should be fast and return the same object for the same plan. Limits that the store cannot hold then make each request
     * fail with {@link IllegalArgumentException}; see {@link Store#check}.
     *
     * @param limitsByKey returns the limits of a key, never null
     * @return this builder
     */
    public RateLimiterBuilder limitsByKey(Function<String, Limits> limitsByKey) {
        this.limitsByKey = Objects.requireNonNull(limitsByKey, "limitsByKey must not be null");
        return this;
    }

    /**
     * Sets the store that holds the state; the limiter then needs a {@link #name}.
     *
     * @param store by default a {@link MemoryStore} of the limiter's own
     * @return this builder
     */
    public RateLimiterBuilder store(Store store) {
        this.store = Objects.requireNonNull(store, "store must not be null");
        return this;
    }

    /**
     * Sets what decides while the store fails. A store in memory does not fail.
     *
     * @param policy by default {@link FailurePolicy#local local(1)}
     * @return this builder
     */
    public RateLimiterBuilder whenStoreFails(FailurePolicy policy) {
        this.failurePolicy = Objects.requireNonNull(policy, "policy must not be null");
        return this;
    }

    /**
     * Sets the time source of the limiter's own store. A limiter with a {@link #store} uses that store's time source.
     *
     * @param timeSource by default {@link TimeSource#system}
     * @return this builder
     */
    public RateLimiterBuilder timeSource(TimeSource timeSource) {
        this.timeSource = Objects.requireNonNull(timeSource, "timeSource must not be null");
        return this;
    }

    /**
     * Sets the executor that runs the dependent stages of asynchronous requests.
     *
     * @param executor by default the common pool, and for waits that are over {@link TimeSource#executor}
     * @return this builder
     */
    public RateLimiterBuilder executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor must not be null");
        return this;
    }

    /**
     * Adds a listener.
     *
     * @param listener the listener
     * @return this builder
     */
    public RateLimiterBuilder listener(LimiterListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
        return this;
    }

    /**
     * Builds the limiter.
     *
     * @return the limiter
     * @throws IllegalArgumentException if limits are missing or given in two ways, if the store cannot hold them, if a limiter
     *     with a store has no name, or if its time source is not the store's
     */
    public RateLimiter build() {
        checkLimits();
        if (store != null) {
            checkSharedStore(store);
        }
        return new RateLimiter(this);
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

    String name() {
        return name != null ? name : DEFAULT_NAME;
    }

    @Nullable
    Limits fixedLimits() {
        return limitsByKey != null ? null : limits != null ? limits : Limits.of(listed);
    }

    @Nullable
    Function<String, Limits> limitsByKey() {
        return limitsByKey;
    }

    Store storeOrOwn() {
        return store != null
                ? store
                : MemoryStore.builder().timeSource(ownTimeSource()).build();
    }

    private TimeSource ownTimeSource() {
        return timeSource != null ? timeSource : TimeSource.system();
    }

    private TimeSource effectiveTimeSource() {
        return store != null ? store.timeSource() : ownTimeSource();
    }

    Store fallback() {
        return failurePolicy.fallback(effectiveTimeSource());
    }

    /** The executor of answers that a store gives on a thread of its own. */
    Executor answerExecutor() {
        return wrapped(executor != null ? executor : ForkJoinPool.commonPool());
    }

    /** The executor of waits that are over. */
    Executor waitExecutor() {
        return wrapped(executor != null ? executor : effectiveTimeSource().executor());
    }

    /** A CompletableFuture that recognizes the common pool starts a thread per task on two processors. */
    private static Executor wrapped(Executor executor) {
        return task -> executor.execute(task);
    }

    List<LimiterListener> listeners() {
        return listeners;
    }
}
