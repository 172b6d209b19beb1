package dev.weir.store;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Listener;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * State in this JVM's memory, one small object a key. Thread-safe: keys do not wait for each other, requests for the same
 * key take turns. The clock is read once a decision, before any lock is taken, and no lock is held while calling out.
 *
 * <p>A key's state leaves by itself once it equals that of a key never seen. At most {@code maxKeys} keys have a state of
 * their own; live ones are never evicted to make room, so a flood of random keys cannot wash out anybody's log. What
 * happens to new keys then is {@link WhenFull}'s to say.
 */
public final class MemoryStore implements Store {
    private static final int VISITS_A_KEY = 2;
    private static final int VISITS_WHEN_FULL = 64;

    private final StoreClock clock;
    private final int maxKeys;
    private final WhenFull whenFull;
    private final @Nullable Listener listener;

    private final ConcurrentHashMap<String, Keyspace> spaces = new ConcurrentHashMap<>();
    private final AtomicInteger keys = new AtomicInteger();
    private final AtomicLong order = new AtomicLong();
    private final Sweeper sweeper = new Sweeper(this, spaces);

    private MemoryStore(Builder builder) {
        clock = new StoreClock(builder.clock);
        maxKeys = builder.maxKeys;
        whenFull = builder.whenFull;
        listener = builder.listener;
    }

    /** A store with the default settings: the system's clock, 1,000,000 keys, sharing when full. */
    public static MemoryStore create() {
        return builder().build();
    }

    /** A store with settings of its own. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many keys have a state of their own now. */
    public int keys() {
        return keys.get();
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        long reading = clock.now();
        Keyspace space = spaces.get(limiter);
        KeyState own = space == null ? null : space.own(key);
        Decision decision = own == null ? null : step(own, limiter, limits, key, permits, reading, false);
        return decision != null ? decision : decideAnew(new Claim(limiter, limits, key, permits), reading);
    }

    /** Decides for a key that had no state, or whose state had just left, until it is done. */
    private Decision decideAnew(Claim claim, long reading) {
        while (true) {
            KeyState state = stateOf(claim, reading);
            Decision decision = state == null
                    ? Deciding.byPolicy(claim, whenFull == WhenFull.ADMIT)
                    : step(state, claim.limiter(), claim.limits(), claim.key(), claim.permits(), reading, false);
            if (decision != null) {
                return decision;
            }
        }
    }

    /** The decision of a state, or a look at what it would be; null if it no longer answers for the key. */
    private @Nullable Decision step(
            KeyState state, String limiter, Limits limits, String key, long permits, long reading, boolean peek) {
        int steps = clock.steps();
        synchronized (state) {
            if (!answers(state, limiter, key, reading)) {
                return null;
            }
            if (state.shared && !state.hasRoomFor(limits, state.nowAt(reading))) {
                return Deciding.byPolicy(new Claim(limiter, limits, key, permits), false);
            }
            return peek
                    ? Deciding.peek(state, limits, permits, reading, steps)
                    : Deciding.atOnce(state, limits, permits, reading, steps);
        }
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        long reading = clock.now();
        while (true) {
            JointBooking booking = new JointBooking();
            boolean found = false;
            try {
                for (Claim claim : claims) {
                    KeyState state = stateOf(claim, reading);
                    if (state != null) {
                        booking.add(state, claim);
                    } else {
                        booking.byPolicy(claim, whenFull == WhenFull.ADMIT);
                    }
                }
                found = true;
            } finally {
                if (!found) { // a listener threw
                    booking.release();
                }
            }
            if (booking.decide(this, reading, clock.steps(), maxWaitNanos)) {
                return booking;
            }
        }
    }

    @Override
    public Decision peek(Claim claim) {
        long reading = clock.now();
        while (true) {
            KeyState state = stateToPeekAt(claim, reading);
            Decision decision = state == null
                    ? Deciding.byPolicy(claim, whenFull == WhenFull.ADMIT)
                    : step(state, claim.limiter(), claim.limits(), claim.key(), claim.permits(), reading, true);
            if (decision != null) {
                return decision;
            }
        }
    }

    private @Nullable KeyState stateToPeekAt(Claim claim, long reading) {
        KeyState own = space(claim).own(claim.key());
        if (own != null) {
            return own;
        }
        KeyState common = common(claim, reading);
        synchronized (common) {
            boolean countedThere = common.idleAfter(common.nowAt(reading)) > 0;
            if (!countedThere && keys.get() < maxKeys) {
                return fresh(reading);
            }
        }
        return whenFull == WhenFull.SHARE ? common : null;
    }

    /** Of a key that shares a common limiter nothing is forgotten: that would forget others too. */
    @Override
    public void reset(Claim claim) {
        long reading = clock.now();
        KeyState state = space(claim).own(claim.key());
        if (state != null) {
            synchronized (state) {
                state.reset(state.nowAt(reading));
            }
        }
    }

    /** A block makes a state for its key even when the store is full. */
    @Override
    public void block(Claim claim, long nanos) {
        long reading = clock.now();
        KeyState common = common(claim, reading);
        boolean done = false;
        while (!done) {
            KeyState state;
            boolean only = false;
            synchronized (common) {
                state = space(claim).own(claim.key());
                if (state == null) {
                    only = common.idleAfter(common.nowAt(reading)) > 0;
                    state = fresh(reading);
                    space(claim).put(claim.key(), state);
                    keys.incrementAndGet();
                }
            }
            synchronized (state) {
                if (answers(state, claim.limiter(), claim.key(), reading)) {
                    state.block(state.nowAt(reading), nanos, only);
                    done = true;
                }
            }
        }
        sweeper.schedule();
    }

    @Override
    public void close() {
        spaces.clear();
        keys.set(0);
    }

    /** The state that answers for a key: its own, made if there is room, or a shared one; null if policy decides. */
    private @Nullable KeyState stateOf(Claim claim, long reading) {
        KeyState own = space(claim).own(claim.key());
        return own != null ? own : stateOfNew(claim, reading);
    }

    private @Nullable KeyState stateOfNew(Claim claim, long reading) {
        sweeper.visit(keys.get() < maxKeys ? VISITS_A_KEY : VISITS_WHEN_FULL, reading);
        Keyspace space = space(claim);
        KeyState common = common(claim, reading);
        synchronized (common) {
            KeyState own = space.own(claim.key());
            if (own != null) {
                return own;
            }
            boolean countedThere = common.idleAfter(common.nowAt(reading)) > 0;
            if (!countedThere && takeRoom()) {
                KeyState state = fresh(reading);
                space.put(claim.key(), state);
                sweeper.schedule();
                return state;
            }
        }
        if (listener != null) {
            listener.storeFull(claim.limiter(), claim.key());
        }
        return whenFull == WhenFull.SHARE ? common : null;
    }

    private boolean takeRoom() {
        int before = keys.getAndUpdate(count -> count < maxKeys ? count + 1 : count);
        return before < maxKeys;
    }

    private Keyspace space(Claim claim) {
        Keyspace space = spaces.get(claim.limiter());
        return space != null ? space : spaces.computeIfAbsent(claim.limiter(), name -> new Keyspace());
    }

    private KeyState common(Claim claim, long reading) {
        return space(claim).common(claim.key(), reading, clock.steps(), order::incrementAndGet);
    }

    private KeyState fresh(long reading) {
        return new KeyState(order.incrementAndGet(), false, reading, clock.steps());
    }

    /** Whether a state, found a moment ago and locked, still answers for the key. */
    boolean answers(KeyState state, String limiter, String key, long reading) {
        if (!state.shared && !state.blockIsOver(reading)) {
            return !state.gone();
        }
        Keyspace space = spaces.get(limiter);
        if (space == null) {
            return state.shared; // closed meanwhile
        } else if (state.shared) {
            return space.own(key) == null;
        }
        space.remove(key, state);
        left();
        return false;
    }

    long now() {
        return clock.now();
    }

    /** One key has left. */
    void left() {
        keys.decrementAndGet();
    }

    /** Settings of a store; each has a default. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 1_000_000;

        private Clock clock = Clock.system();
        private int maxKeys = DEFAULT_MAX_KEYS;
        private WhenFull whenFull = WhenFull.SHARE;
        private @Nullable Listener listener;

        private Builder() {}

        /** The source of time; by default the system's. */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** The most keys with a state of their own, at least 1; by default 1,000,000. */
        public Builder maxKeys(int maxKeys) {
            if (maxKeys < 1) {
                throw new IllegalArgumentException("maxKeys must be at least 1, was " + maxKeys);
            }
            this.maxKeys = maxKeys;
            return this;
        }

        /** What to do with a new key when the store is full; by default {@link WhenFull#SHARE}. */
        public Builder whenFull(WhenFull whenFull) {
            this.whenFull = Objects.requireNonNull(whenFull, "whenFull");
            return this;
        }

        /** Who hears that the store was full. */
        public Builder listener(Listener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** The store. */
        public MemoryStore build() {
            return new MemoryStore(this);
        }
    }
}
