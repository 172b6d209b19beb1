package dev.weir;

import dev.weir.store.Claim;
import dev.weir.store.FailurePolicy;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may pass. Each key (a user, an address, a provider) has its own count under the limiter's {@link Limits};
 * a request passes if every limit lets it, and a denied one takes nothing from any of them.
 *
 * <pre>{@code
 * RateLimiter perUser = RateLimiter.of(Limit.slidingLog(100, Duration.ofMinutes(1)));
 * Decision d = perUser.tryAcquire(userId);
 * if (!d.allowed()) throw tooMany(d.retryAfter());
 * }</pre>
 *
 * <p>{@code try...} never waits. Whoever waits books a place: the earliest instant that fits all limits, in one step, so
 * that waiting is in turn and nobody is delayed by someone who came later. A wait known to be too long is refused at once.
 *
 * <p>A store that lies elsewhere may fail; then {@link Builder#whenStoreFails a policy} decides, and the decision says that it
 * is {@linkplain Decision#degraded degraded}.
 *
 * <p>Thread-safe. Keys are opaque: 1 to 1,024 bytes in UTF-8. Every method throws {@link NullPointerException} for a null
 * key and {@link IllegalArgumentException} for one that is empty or too long, for permits below 1 and for negative waits.
 */
public final class RateLimiter {
    /** The most requests that may be decided together. */
    public static final int MAX_TOGETHER = 64;

    final String name;
    private final @Nullable Function<String, Limits> limitsByKey;
    private volatile @Nullable Limits limits;
    final Store store;
    final Store standIn; // decides while the store fails
    final Clock clock;
    final Executor executor;
    private final List<Listener> listeners;

    private RateLimiter(Builder builder) {
        name = builder.name;
        limitsByKey = builder.limitsByKey;
        limits = builder.inForce();
        clock = builder.clock;
        Executor given = builder.executor;
        executor =
                task -> given.execute(task); // a future that knows the common pool makes a thread a task on two cores
        listeners = List.copyOf(builder.listeners);
        store = builder.store != null
                ? builder.store
                : MemoryStore.builder().clock(clock).listener(new StoreFull()).build();
        standIn = builder.whenStoreFails.standIn(clock);
    }

    /** A limiter in memory. */
    public static RateLimiter of(Limit... limits) {
        return builder().limits(Limits.of(limits)).build();
    }

    /** A limiter with settings of its own. */
    public static Builder builder() {
        return new Builder();
    }

    /** Takes a permit if there is one now. */
    public Decision tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    /** Takes permits if they are there now: all or none. */
    public Decision tryAcquire(String key, long permits) {
        Limits inForce = limits(key);
        Decision decision;
        try {
            decision = store.decide(name, inForce, key, Checks.permits(permits));
        } catch (StoreException failure) {
            tellFailed(key, failure);
            decision = standIn.decide(name, inForce, key, permits);
        }
        tell(key, permits, decision);
        return decision;
    }

    /** Takes a permit, waiting for it in turn; see {@link #acquire(String, long, Duration)}. */
    public Decision acquire(String key, Duration maxWait) throws InterruptedException {
        return acquire(key, 1, maxWait);
    }

    /**
     * Takes permits, waiting for them in turn. Returns when the turn has come, or at once with a denial if that would be
     * later than {@code maxWait} from now.
     *
     * @throws InterruptedException if interrupted before or while waiting; nothing stays booked then
     */
    public Decision acquire(String key, long permits, Duration maxWait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reserve(key, permits, maxWait).await();
    }

    /** Takes a permit when its turn comes, without a waiting thread; see {@link Reservation#whenDue}. */
    public CompletableFuture<Decision> acquireAsync(String key, Duration maxWait) {
        return acquireAsync(key, 1, maxWait);
    }

    /**
     * Takes permits when their turn comes, without a thread that waits for the store or for the turn; see {@link
     * Reservation#whenDue}. With a wait of zero this is {@link #tryAcquire(String, long)} for those who must not block.
     */
    public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration maxWait) {
        CompletableFuture<Reservation> reserved =
                new Together(request(key, permits)).reserveAsync(Checks.patience("maxWait", maxWait));
        return reserved.isDone() && !reserved.isCompletedExceptionally()
                ? reserved.join().whenDue()
                : Reservation.whenDue(reserved);
    }

    /** Books permits at the earliest instant that fits, if that is within {@code maxWait}, and leaves the waiting to you. */
    public Reservation reserve(String key, long permits, Duration maxWait) {
        return reserveAll(maxWait, request(key, permits));
    }

    /**
     * Takes a permit as {@link #acquire} does, then runs the task. A task that fails keeps its permit: it was used.
     *
     * @throws RateLimitedException if the turn would be later than {@code maxWait} from now
     * @throws Exception what the task throws, or {@link InterruptedException} as {@link #acquire} does
     */
    public <T extends @Nullable Object> T call(String key, Duration maxWait, Callable<T> task) throws Exception {
        Decision decision = acquire(key, maxWait);
        if (!decision.allowed()) {
            throw new RateLimitedException(decision);
        }
        return task.call();
    }

    /** What {@link #tryAcquire(String)} would say now; takes nothing. */
    public Decision peek(String key) {
        return peek(key, 1);
    }

    /**
     * What {@link #tryAcquire(String, long)} would say now; takes nothing. Where attempts count, a denial's retry-after is
     * that of not having tried: the attempt itself would make it longer.
     */
    public Decision peek(String key, long permits) {
        Claim claim = claim(key, permits);
        try {
            return store.peek(claim);
        } catch (StoreException failure) {
            tellFailed(key, failure);
            return standIn.peek(claim);
        }
    }

    /**
     * Forgets what a key has used, and lifts its block. Bookings already given stay due.
     *
     * @throws StoreException if the store failed: it may have been reset or not
     */
    public void reset(String key) {
        store.reset(claim(key, 1));
    }

    /**
     * Denies a key everything for so long; those who wait may wait through it. A block never shortens an earlier one.
     *
     * @throws StoreException if the store failed: it may be blocked or not
     */
    public void block(String key, Duration duration) {
        store.block(claim(key, 1), Checks.nanos("duration", duration));
    }

    /** The limits in force for a key. */
    public Limits limits(String key) {
        Checks.key(key);
        Limits fixed = limits;
        return fixed != null
                ? fixed
                : Objects.requireNonNull(
                        Objects.requireNonNull(limitsByKey).apply(key), "limitsByKey must not answer null");
    }

    /**
     * Changes the limits from the next decision on. State is carried over by the limits' names (by default their
     * positions): what is in a log counts under the new limit at once, and what is booked stays booked. A limit that
     * changes its algorithm starts afresh.
     *
     * @throws IllegalStateException if this limiter's limits depend on the key
     */
    public void changeLimits(Limits limits) {
        Objects.requireNonNull(limits, "limits");
        if (limitsByKey != null) {
            throw new IllegalStateException("limits depend on the key; change what the function answers instead");
        }
        this.limits = limits;
    }

    /** A request to be decided together with others, see {@link #tryAcquireAll}. */
    public Request request(String key, long permits) {
        return new Request(this, claim(key, permits));
    }

    /**
     * Takes all permits of all requests if they are there now, or none: a user, their tenant and everyone, say. The
     * limiters must share one store, and no two requests may have the same limiter and key.
     */
    public static Decision tryAcquireAll(Request... requests) {
        return reserveAll(Duration.ZERO, requests).decision();
    }

    /** Books all requests at the earliest instant that fits all of them, if that is within {@code maxWait}, or none. */
    public static Reservation reserveAll(Duration maxWait, Request... requests) {
        return new Together(requests).reserve(Checks.patience("maxWait", maxWait));
    }

    private Claim claim(String key, long permits) {
        return new Claim(name, limits(key), key, Checks.permits(permits));
    }

    void tell(String key, long permits, Decision decision) {
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).decided(name, key, permits, decision);
        }
    }

    void tellFailed(String key, StoreException why) {
        for (Listener listener : listeners) {
            listener.storeFailed(name, key, why);
        }
    }

    private void tellGivenBack(String key, long permits) {
        for (Listener listener : listeners) {
            listener.gaveBack(name, key, permits);
        }
    }

    /** Hands on what a store of this limiter's own has to tell. */
    private final class StoreFull implements Listener {
        @Override
        public void storeFull(String limiter, String key) {
            for (Listener listener : listeners) {
                listener.storeFull(limiter, key);
            }
        }
    }

    /** Permits for one key of one limiter, not yet decided. Immutable. */
    public static final class Request {
        final RateLimiter limiter;
        final Claim claim;

        private Request(RateLimiter limiter, Claim claim) {
            this.limiter = limiter;
            this.claim = claim;
        }

        /** Who asks. */
        public String key() {
            return claim.key();
        }

        /** How much. */
        public long permits() {
            return claim.permits();
        }

        void tellGivenBack(long permits) {
            limiter.tellGivenBack(claim.key(), permits);
        }
    }

    /** Settings of a limiter; limits are required, the rest has defaults. Not thread-safe. */
    public static final class Builder {
        private String name = "default";
        private final List<Limit> listed = new ArrayList<>();
        private @Nullable Limits limits;
        private @Nullable Function<String, Limits> limitsByKey;
        private @Nullable Store store;
        private FailurePolicy whenStoreFails = FailurePolicy.local(1);
        private Clock clock = Clock.system();
        private Executor executor = ForkJoinPool.commonPool();
        private final List<Listener> listeners = new ArrayList<>();

        private Builder() {}

        /** The name that tells this limiter's keys from those of others on the same store; by default "default". */
        public Builder name(String name) {
            this.name = Checks.name("name", name);
            return this;
        }

        /** Adds a limit from its text, see {@link Limit#parse}. */
        public Builder limit(String text) {
            return limit(Limit.parse(text));
        }

        /** Adds a limit; several hold together. */
        public Builder limit(Limit limit) {
            listed.add(Objects.requireNonNull(limit, "limit"));
            return this;
        }

        /** All limits at once, in place of {@link #limit}. */
        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /**
         * Limits that depend on the key, for instance on a user's plan; in place of fixed ones. Asked before
         * each decision: let it answer fast, and with the same object for the same plan.
         */
        public Builder limitsByKey(Function<String, Limits> limitsByKey) {
            this.limitsByKey = Objects.requireNonNull(limitsByKey, "limitsByKey");
            return this;
        }

        /** Where state lives; by default a {@link MemoryStore} of this limiter's own, on its clock. */
        public Builder store(Store store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * What decides while the store fails; by default {@link FailurePolicy#local local(1)}: each process by itself, against
         * the whole limit. The store in memory never fails.
         */
        public Builder whenStoreFails(FailurePolicy policy) {
            this.whenStoreFails = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /** The clock that waits are waited on, and that of the default store; by default the system's. */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** What runs the stages behind {@code acquireAsync}; by default the common pool. */
        public Builder executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** Adds a listener. */
        public Builder listener(Listener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        private @Nullable Limits inForce() {
            int ways = (limits == null ? 0 : 1) + (listed.isEmpty() ? 0 : 1) + (limitsByKey == null ? 0 : 1);
            if (ways != 1) {
                throw new IllegalArgumentException("give limits in one way: limit(...), limits(...) or limitsByKey(...)"
                        + (ways == 0 ? "; none was given" : ""));
            }
            return limitsByKey != null ? null : limits != null ? limits : Limits.of(listed);
        }

        /** The limiter. */
        public RateLimiter build() {
            return new RateLimiter(this);
        }
    }
}
