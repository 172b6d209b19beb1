package dev.weir.store;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Listener;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
    private volatile @Nullable Keyspace first; // of the spaces: that of the only limiter, as a rule
    private final AtomicInteger keys = new AtomicInteger();
    private final RulesCache rules = new RulesCache();
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
        Keyspace space = first;
        if (space == null || !space.isOf(limiter)) {
            space = spaces.get(limiter);
        }
        KeyState own = space == null ? null : space.own(key);
        Decision decision = own == null ? null : Deciding.plainly(own, limits, permits, reading, clock);
        return decision != null ? decision : decideFully(limiter, limits, key, permits, reading);
    }

    /** Decides for any key, new or shared or blocked, until it is done. */
    private Decision decideFully(String limiter, Limits limits, String key, long permits, long reading) {
        Claim claim = new Claim(limiter, limits, key, permits);
        while (true) {
            KeyState state = stateOf(claim, reading);
            Decision decision = state == null
                    ? Deciding.byPolicy(claim, whenFull == WhenFull.ADMIT)
                    : decideLocked(state, claim, reading, false);
            if (decision != null) {
                return decision;
            }
        }
    }

    /** The decision of a state, or a look at what it would be; null if it no longer answers for the key. */
    private @Nullable Decision decideLocked(KeyState state, Claim claim, long reading, boolean peek) {
        if (!state.enter()) {
            forget(claim, state);
            return null;
        }
        try {
            if (!answers(state, claim.limiter(), claim.key(), reading)) {
                return null;
            }
            if (!hasRoomFor(state, claim.limits(), reading)) {
                return Deciding.byPolicy(claim, false);
            }
            KeyState looked = peek && !state.keeps(claim.limits()) ? state.copy() : state;
            turn(looked, claim.limits(), looked.nowAt(reading));
            return peek
                    ? Deciding.peek(looked, claim.permits(), reading)
                    : Deciding.atOnce(looked, claim.limits(), claim.permits(), reading);
        } finally {
            state.exit();
        }
    }

    /** Lets a state turn to a request. */
    void turn(KeyState state, Limits limits, long now) {
        state.turnTo(limits, rules, now, clock);
    }

    /** Whether a state that keys share can remember these limits beside those of the others. */
    boolean hasRoomFor(KeyState state, Limits limits, long reading) {
        return !state.shared() || state.hasRoomFor(limits, state.nowAt(reading));
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
            if (booking.decide(this, reading, maxWaitNanos)) {
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
                    : decideLocked(state, claim, reading, true);
            if (decision != null) {
                return decision;
            }
        }
    }

    private @Nullable KeyState stateToPeekAt(Claim claim, long reading) {
        KeyState own = space(claim, reading).own(claim.key());
        if (own != null) {
            return own;
        }
        KeyState common = common(claim, reading);
        if (!isCounting(common, reading) && keys.get() < maxKeys) {
            return space(claim, reading).notSeen(reading);
        }
        return whenFull == WhenFull.SHARE ? common : null;
    }

    /** Of a key that shares a common limiter nothing is forgotten: that would forget others too. */
    @Override
    public void reset(Claim claim) {
        long reading = clock.now();
        Keyspace space = space(claim, reading);
        KeyState state = space.own(claim.key());
        if (state != null && state.enter()) {
            try {
                if (state.blocksOnly()) {
                    state.unblock();
                } else {
                    KeyState next = KeyState.own(state.nowAt(reading));
                    next.release();
                    space.replace(claim.key(), state, next);
                    state.goForGood();
                }
            } finally {
                state.exit();
            }
        }
    }

    /** A block makes a state for its key even when the store is full. */
    @Override
    public void block(Claim claim, long nanos) {
        long reading = clock.now();
        Keyspace space = space(claim, reading);
        KeyState common = common(claim, reading);
        while (true) {
            KeyState state;
            common.enter();
            try {
                state = space.own(claim.key());
                if (state == null) {
                    boolean only = !common.isIdle(common.nowAt(reading));
                    KeyState blocked = space.notSeen(common.nowAt(reading));
                    blocked.block(blocked.nowAt(reading), nanos, only);
                    space.put(claim.key(), blocked);
                    keys.incrementAndGet();
                    break;
                }
            } finally {
                common.exit();
            }
            if (!state.enter()) {
                forget(claim.limiter(), claim.key(), state);
                continue;
            }
            try {
                if (answers(state, claim.limiter(), claim.key(), reading)) {
                    state.block(state.nowAt(reading), nanos, false);
                    break;
                }
            } finally {
                state.exit();
            }
        }
        sweeper.schedule();
    }

    @Override
    public void close() {
        first = null;
        spaces.clear();
        keys.set(0);
    }

    /** The state that answers for a key: its own, made if there is room, or a shared one; null if policy decides. */
    private @Nullable KeyState stateOf(Claim claim, long reading) {
        KeyState own = space(claim, reading).own(claim.key());
        return own != null ? own : stateOfNew(claim, reading);
    }

    private @Nullable KeyState stateOfNew(Claim claim, long reading) {
        sweeper.visit(keys.get() < maxKeys ? VISITS_A_KEY : VISITS_WHEN_FULL, reading);
        Keyspace space = space(claim, reading);
        KeyState common = common(claim, reading);
        common.enter();
        try {
            KeyState own = space.own(claim.key());
            if (own != null) {
                return own;
            }
            boolean countedThere = !common.isIdle(common.nowAt(reading));
            if (!countedThere && takeRoom()) {
                KeyState state = space.notSeen(common.nowAt(reading));
                space.put(claim.key(), state);
                sweeper.schedule();
                return state;
            }
        } finally {
            common.exit();
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

    private Keyspace space(Claim claim, long reading) {
        Keyspace space = spaces.get(claim.limiter());
        return space != null ? space : spaces.computeIfAbsent(claim.limiter(), name -> newSpace(name, reading));
    }

    private Keyspace newSpace(String limiter, long reading) {
        Keyspace space = new Keyspace(limiter, reading);
        if (first == null) {
            first = space;
        }
        return space;
    }

    private KeyState common(Claim claim, long reading) {
        return space(claim, reading).common(claim.key(), reading);
    }

    /** Whether a common state remembers something of the keys that share it. */
    private static boolean isCounting(KeyState common, long reading) {
        common.enter();
        try {
            return !common.isIdle(common.nowAt(reading));
        } finally {
            common.exit();
        }
    }

    /** Whether a state, found a moment ago and locked, still answers for the key. */
    boolean answers(KeyState state, String limiter, String key, long reading) {
        Keyspace space = state.shared() ? spaces.get(limiter) : null;
        if (state.shared()) {
            return space == null || space.own(key) == null; // null if closed meanwhile
        }
        if (state.blockIsOver(reading)) {
            forget(limiter, key, state);
            left();
            return false;
        }
        return true;
    }

    /** Takes a state that has gone out of its map, if whoever let it go has not done so yet. */
    private void forget(String limiter, String key, KeyState state) {
        Keyspace space = spaces.get(limiter);
        if (space != null) {
            space.remove(key, state);
        }
    }

    void forget(Claim claim, KeyState state) {
        forget(claim.limiter(), claim.key(), state);
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
