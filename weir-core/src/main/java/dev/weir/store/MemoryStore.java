package dev.weir.store;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.internal.Decisions;
import dev.weir.internal.MonotonicTime;
import dev.weir.internal.OccasionalLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of this JVM, with one small object per key. Thread-safe: requests for different keys do not wait for
 * each other, requests for one key are serialized. The time source is read once per decision, before a lock is taken.
 *
 * <p>Bounds: the state of at most {@link Builder#maxKeys} keys, whose text takes at most {@link Builder#maxKeyBytes}; only a block
 * adds further keys. A key's state is removed once it no longer affects any decision, within 30 s. State in use is never evicted to
 * make room, so a flood of random keys cannot erase a log: while the store is full, requests for new keys are denied, and the
 * decision is {@linkplain Decision#degraded degraded}. Their retry-after is the shortest window of their limits; they may have room
 * earlier. That is logged at most once a minute.
 *
 * <p>Memory: about 110 bytes for a key with one limit, plus its text; 16 more with reservations, some 320 more after waits and
 * refunds. Time: see the limits; locks are held for less than a microsecond as a rule. A store that is no longer reachable needs no
 * {@link #close}.
 */
public final class MemoryStore implements Store {
    private final TimeSource timeSource;
    private final LongSupplier time;
    private final KeyDirectory keys;
    final IdleKeyTimer idleKeyTimer;
    private final CompiledLimits.Cache compiled = new CompiledLimits.Cache();
    private final OccasionalLog log = new OccasionalLog("dev.weir");

    /** Creates a store whose readings are given: those of the time source, or of tests of delayed requests. */
    MemoryStore(TimeSource timeSource, LongSupplier time, int maxKeys, long maxKeyBytes, Executor nextSecond) {
        this.timeSource = timeSource;
        this.time = time;
        this.keys = new KeyDirectory(maxKeys, maxKeyBytes);
        this.idleKeyTimer = new IdleKeyTimer(keys, time, nextSecond);
    }

    /** {@return a store on the system's time source, with the default bounds} */
    public static MemoryStore create() {
        return builder().build();
    }

    /** {@return a builder of a store} */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public TimeSource timeSource() {
        return timeSource;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        long reading = time.getAsLong();
        KeyState own = keys.find(limiter, key);
        if (own != null && permits > 0) {
            Offer offer = own.offer();
            Decision decision = offer.decide(limits, permits, reading);
            try {
                decision = decision == null ? decideAlone(own, limits, permits, reading, offer) : decision;
            } catch (StackOverflowError failure) {
                own.unlockIfOwner();
                throw failure;
            }
            if (decision != null) {
                return decision;
            }
        }
        Decision decision = decide(Request.of(limiter, limits, key, permits), reading);
        idleKeyTimer.schedule();
        return decision;
    }

    private static @Nullable Decision decideAlone(KeyState own, Limits limits, long permits, long reading, Offer last) {
        if (!own.enter(reading)) {
            return null;
        }
        try {
            return Decider.decideAlone(own, limits, permits, reading, last);
        } finally {
            own.unlock();
        }
    }

    /** Decides for any key: new, with several limits, or blocked. */
    private Decision decide(Request request, long reading) {
        Limits limits = request.limits();
        KeyState state = enter(request, reading, true);
        if (state == null) {
            return full(List.of(request), reading);
        }
        try {
            LimitMigration.prepare(state, compiled.of(limits), state.timeAt(reading));
            return Decider.decideAtOnce(state, limits, request.permits(), reading);
        } finally {
            state.unlock();
        }
    }

    private Decision full(List<Request> requests, long reading) {
        log.warn(
                "the store is full, with " + keys.occupancy() + ": there is no room for new ones until one is idle",
                null);
        return Decisions.uncounted(requests, false, reading);
    }

    /** Acquires the lock of a key's state; see {@link KeyDirectory#stateFor}. */
    private @Nullable KeyState enter(Request request, long reading, boolean add) {
        while (true) {
            KeyState state = keys.stateFor(request, reading, add);
            if (state == null || keys.enter(state)) {
                return state;
            }
        }
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        long reading = time.getAsLong();
        StoreReservation reservation = null;
        while (reservation == null) {
            reservation = tryReserve(requests, reading, maxWaitNanos);
        }
        idleKeyTimer.schedule();
        return reservation;
    }

    /** Returns null if a state has been retired. */
    private @Nullable StoreReservation tryReserve(List<Request> requests, long reading, long maxWaitNanos) {
        List<MemoryReservation.Part> parts = new ArrayList<>(requests.size());
        for (Request request : requests) {
            KeyState state = keys.stateFor(request, reading, true);
            if (state == null) {
                return StoreReservation.of(full(requests, reading), List.of());
            }
            CompiledLimits limits = compiled.of(request.limits());
            parts.add(new MemoryReservation.Part(request, limits, state, new ArrayList<>(limits.size())));
        }
        return MemoryReservation.decide(parts, keys, reading, maxWaitNanos);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        long reading = time.getAsLong();
        Limits limits = request.limits(); // may call the caller's code
        KeyState state = enter(request, reading, false);
        if (state == null) {
            return CompletableFuture.completedFuture(full(List.of(request), reading));
        }
        if (!state.isUnder(limits)) {
            state = copyLocked(state); // a peek changes nothing, and counting anew takes long
            state.enter();
        }
        try {
            LimitMigration.prepare(state, compiled.of(limits), state.timeAt(reading));
            return CompletableFuture.completedFuture(Decider.peek(state, request.permits(), reading));
        } finally {
            state.unlock();
        }
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        long reading = time.getAsLong();
        KeyState state = enter(request, reading, false);
        KeyState shown = state == null ? new KeyState(request.limiter(), request.key(), reading) : copyLocked(state);
        long now = shown.timeAt(reading);
        LimitMigration.prepare(shown, compiled.of(request.limits()), now);
        return CompletableFuture.completedFuture(Snapshots.of(shown, now, maxRuns));
    }

    /** Copies a state, and releases its lock. */
    private static KeyState copyLocked(KeyState state) {
        try {
            return state.copy();
        } finally {
            state.unlock();
        }
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        long reading = time.getAsLong();
        return change(request, state -> state.reset(reading));
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return change(request, KeyState::unblock);
    }

    private CompletableFuture<Void> change(Request request, Consumer<KeyState> step) {
        KeyState own = keys.find(request.limiter(), request.key());
        if (own != null) {
            own.change(step);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        long reading = time.getAsLong();
        KeyState state;
        do {
            state = keys.stateToBlock(request, reading);
        } while (!keys.enter(state));
        try {
            state.block(state.timeAt(reading), nanos);
        } finally {
            state.unlock();
        }
        idleKeyTimer.schedule();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public StoreStatistics statistics() {
        return new StoreStatistics(OptionalInt.of(keys.size()), OptionalDouble.of(keys.utilization()), 0, 0, 0, 0, 0);
    }

    @Override
    public void close() {
        keys.clear();
    }

    /** A builder of {@link MemoryStore}. Everything has a default. Not thread-safe. */
    public static final class Builder {
        private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();
        private static final int DEFAULT_MAX_KEYS = (int) Math.min(1_000_000, HEAP_BYTES / 1024);
        private static final long DEFAULT_MAX_KEY_BYTES = Math.min(256L << 20, HEAP_BYTES / 8);

        private TimeSource timeSource = TimeSource.system();
        private int maxKeys = DEFAULT_MAX_KEYS;
        private long maxKeyBytes = DEFAULT_MAX_KEY_BYTES;

        Builder() {}

        /**
         * Sets the time source.
         *
         * @param timeSource by default {@link TimeSource#system}
         * @return this builder
         */
        public Builder timeSource(TimeSource timeSource) {
            this.timeSource = Objects.requireNonNull(timeSource, "timeSource must not be null");
            return this;
        }

        /**
         * Bounds the number of keys that are counted.
         *
         * @param maxKeys at least 1; by default one for each KiB of the largest heap that this JVM may have, and at most 1,000,000
         * @return this builder
         */
        public Builder maxKeys(int maxKeys) {
            if (maxKeys < 1) {
                throw new IllegalArgumentException("maxKeys must be at least 1, was " + maxKeys);
            }
            this.maxKeys = maxKeys;
            return this;
        }

        /**
         * Bounds the memory that the text of those keys takes: one byte per character in Latin-1, two for all characters of a key
         * that has others.
         *
         * @param maxKeyBytes at least 1; by default an eighth of that heap, and at most 256 MiB
         * @return this builder
         */
        public Builder maxKeyBytes(long maxKeyBytes) {
            if (maxKeyBytes < 1) {
                throw new IllegalArgumentException("maxKeyBytes must be at least 1, was " + maxKeyBytes);
            }
            this.maxKeyBytes = maxKeyBytes;
            return this;
        }

        /** {@return the store} */
        public MemoryStore build() {
            return new MemoryStore(
                    timeSource, MonotonicTime.of(timeSource), maxKeys, maxKeyBytes, IdleKeyTimer.NEXT_SECOND);
        }
    }
}
