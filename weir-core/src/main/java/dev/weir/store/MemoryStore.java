package dev.weir.store;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.internal.Decisions;
import dev.weir.internal.MonotonicTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of this JVM, with one small object per key. Thread-safe: requests for different keys do not wait for
 * each other, requests for one key are serialized. The time source is read once per decision, before a lock is taken.
 *
 * <p>Bounds: at most {@link MemoryStoreBuilder#maxKeys} keys whose text takes at most {@link MemoryStoreBuilder#maxKeyBytes}
 * have a state of their own. A key's state is removed once it no longer affects any decision, within 30 s. State in use is
 * never evicted to make room, so a flood of random keys cannot erase a log; {@link WhenFull} decides about new keys then.
 *
 * <p>Memory: about 100 bytes for a key with one limit, plus its text. Time: see the limits; locks are held for less than a
 * microsecond as a rule. A store that is no longer reachable needs no {@link #close}.
 */
public final class MemoryStore implements Store {
    private static final int VISITS_PER_KEY = 2;
    private static final int VISITS_WHEN_FULL = 64;

    private final TimeSource timeSource;
    private final LongSupplier time;
    private final WhenFull whenFull;

    private final ConcurrentHashMap<String, Keyspace> spaces = new ConcurrentHashMap<>();
    private volatile @Nullable Keyspace first; // of the spaces: that of the only limiter, as a rule
    private final KeyBudget budget;
    private final RulesCache rules = new RulesCache();
    private final Sweeper sweeper = new Sweeper(this, spaces);

    MemoryStore(TimeSource timeSource, KeyBudget budget, WhenFull whenFull) {
        this(timeSource, MonotonicTime.of(timeSource), budget, whenFull);
    }

    /** Creates a store whose readings are given, for tests of readings that are used late. */
    MemoryStore(TimeSource timeSource, LongSupplier time, KeyBudget budget, WhenFull whenFull) {
        this.timeSource = timeSource;
        this.time = time;
        this.budget = budget;
        this.whenFull = whenFull;
    }

    /** {@return a store on the system's time source, for 1,000,000 keys and 256 MiB of their text} */
    public static MemoryStore create() {
        return builder().build();
    }

    /** {@return a builder of a store} */
    public static MemoryStoreBuilder builder() {
        return new MemoryStoreBuilder();
    }

    /** {@return the number of keys that have a state of their own now} */
    public int keys() {
        return budget.keys();
    }

    @Override
    public TimeSource timeSource() {
        return timeSource;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        long reading = time.getAsLong();
        Keyspace space = first;
        if (space == null || !space.isOf(limiter)) {
            space = spaces.get(limiter);
        }
        KeyState own = space == null ? null : space.own(key);
        Decision decision = own == null ? null : Deciding.plainly(own, limits, permits, reading);
        return decision != null ? decision : decideFully(Request.of(limiter, limits, key, permits), reading);
    }

    /** Decides for any key: new, sharing an overflow state, or blocked. */
    private Decision decideFully(Request request, long reading) {
        while (true) {
            KeyState state = stateOf(request, reading);
            Decision decision =
                    state == null ? uncounted(request, reading) : decideLocked(state, request, reading, false);
            if (decision != null) {
                return decision;
            }
        }
    }

    private Decision uncounted(Request request, long reading) {
        return Decisions.uncounted(List.of(request), whenFull == WhenFull.ALLOW, reading);
    }

    /** The decision of a state, or what it would be; null if the state no longer answers for the key. */
    private @Nullable Decision decideLocked(KeyState state, Request request, long reading, boolean peek) {
        if (!state.enter()) {
            forget(request, state);
            return null;
        }
        try {
            if (!answers(state, request.limiter(), request.key(), reading)) {
                return null;
            }
            if (!hasRoomFor(state, request.limits(), reading)) {
                return Decisions.uncounted(List.of(request), false, reading);
            }
            KeyState looked = peek && !state.keeps(request.limits()) ? new KeyState(state) : state;
            prepare(looked, request.limits(), looked.nowAt(reading));
            return peek
                    ? Deciding.peek(looked, request.permits(), reading)
                    : Deciding.atOnce(looked, request.limits(), request.permits(), reading);
        } finally {
            state.unlock();
        }
    }

    /** Prepares a state for a request's limits and time. */
    void prepare(KeyState state, Limits limits, long now) {
        state.prepareFor(limits, rules, now);
    }

    /** Whether an overflow state can hold these limits along with those of other keys. */
    boolean hasRoomFor(KeyState state, Limits limits, long reading) {
        return !state.shared() || state.hasRoomFor(limits, state.nowAt(reading));
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        long reading = time.getAsLong();
        while (true) {
            JointReservation reservation = new JointReservation(requests);
            for (Request request : requests) {
                KeyState state = stateOf(request, reading);
                if (state != null) {
                    reservation.add(state, request, reading);
                } else {
                    reservation.addUncounted(whenFull == WhenFull.ALLOW, reading);
                }
            }
            if (reservation.decide(this, reading, maxWaitNanos)) {
                return reservation;
            }
        }
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return CompletableFuture.completedFuture(peek(request));
    }

    private Decision peek(Request request) {
        long reading = time.getAsLong();
        while (true) {
            KeyState state = stateToLookAt(request, reading);
            Decision decision =
                    state == null ? uncounted(request, reading) : decideLocked(state, request, reading, true);
            if (decision != null) {
                return decision;
            }
        }
    }

    private @Nullable KeyState stateToLookAt(Request request, long reading) {
        KeyState own = space(request, reading).own(request.key());
        if (own != null) {
            return own;
        }
        KeyState common = common(request, reading);
        if (!isCounting(common, reading) && budget.hasRoomFor(request.key())) {
            return space(request, reading).notSeen(reading);
        }
        return whenFull == WhenFull.SHARE ? common : null;
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        long reading = time.getAsLong();
        while (true) {
            KeyState state = stateToLookAt(request, reading);
            KeyState looked =
                    state == null ? space(request, reading).notSeen(reading) : lockedCopy(state, request, reading);
            if (looked != null) {
                long now = looked.nowAt(reading);
                prepare(looked, request.limits(), now);
                return CompletableFuture.completedFuture(Snapshots.of(looked, now, maxRuns));
            }
        }
    }

    /** Returns a copy of a state; null if the state no longer answers for the key. */
    private @Nullable KeyState lockedCopy(KeyState state, Request request, long reading) {
        if (!state.enter()) {
            forget(request, state);
            return null;
        }
        try {
            return answers(state, request.limiter(), request.key(), reading) ? new KeyState(state) : null;
        } finally {
            state.unlock();
        }
    }

    /** Does nothing for a key that shares an overflow state: that would reset others, too. */
    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        long reading = time.getAsLong();
        Keyspace space = space(request, reading);
        KeyState state = space.own(request.key());
        if (state != null && state.enter()) {
            try {
                if (state.blocksOnly()) {
                    state.unblock();
                } else {
                    KeyState next = KeyState.own(state.nowAt(reading));
                    next.release();
                    space.replace(request.key(), state, next);
                    state.goForGood();
                }
            } finally {
                state.unlock();
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        KeyState state = space(request, time.getAsLong()).own(request.key());
        if (state != null && state.enter()) { // a retired state has no block
            try {
                state.unblock();
            } finally {
                state.unlock();
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** A block creates a state for its key even if the store is full. */
    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        long reading = time.getAsLong();
        while (!tryBlock(request, nanos, reading)) {
            // the state was retired meanwhile
        }
        sweeper.schedule();
        return CompletableFuture.completedFuture(null);
    }

    private boolean tryBlock(Request request, long nanos, long reading) {
        Keyspace space = space(request, reading);
        KeyState common = common(request, reading);
        KeyState state;
        common.enter();
        try {
            state = space.own(request.key());
            if (state == null) {
                boolean only = !common.isIdle(common.nowAt(reading));
                KeyState blocked = space.notSeen(common.nowAt(reading));
                blocked.block(blocked.nowAt(reading), nanos, only);
                space.put(request.key(), blocked);
                budget.add(request.key());
                return true;
            }
        } finally {
            common.unlock();
        }
        if (!state.enter()) {
            forget(request, state);
            return false;
        }
        try {
            if (!answers(state, request.limiter(), request.key(), reading)) {
                return false;
            }
            state.block(state.nowAt(reading), nanos, false);
            return true;
        } finally {
            state.unlock();
        }
    }

    @Override
    public void close() {
        first = null;
        spaces.clear();
        budget.clear();
    }

    /** The state that answers for a key: its own, created if there is room, or an overflow state; null if none may. */
    private @Nullable KeyState stateOf(Request request, long reading) {
        KeyState own = space(request, reading).own(request.key());
        return own != null ? own : stateOfNew(request, reading);
    }

    private @Nullable KeyState stateOfNew(Request request, long reading) {
        sweeper.visit(budget.isFull() ? VISITS_WHEN_FULL : VISITS_PER_KEY, reading);
        Keyspace space = space(request, reading);
        KeyState common = common(request, reading);
        common.enter();
        try {
            KeyState own = space.own(request.key());
            if (own != null) {
                return own;
            }
            boolean countedThere = !common.isIdle(common.nowAt(reading));
            if (!countedThere && budget.tryAdd(request.key())) {
                KeyState state = space.notSeen(common.nowAt(reading));
                space.put(request.key(), state);
                sweeper.schedule();
                return state;
            }
        } finally {
            common.unlock();
        }
        return whenFull == WhenFull.SHARE ? common : null;
    }

    private Keyspace space(Request request, long reading) {
        Keyspace space = spaces.get(request.limiter());
        return space != null ? space : spaces.computeIfAbsent(request.limiter(), name -> newSpace(name, reading));
    }

    private Keyspace newSpace(String limiter, long reading) {
        Keyspace space = new Keyspace(limiter, reading);
        if (first == null) {
            first = space;
        }
        return space;
    }

    private KeyState common(Request request, long reading) {
        return space(request, reading).common(request.key(), reading);
    }

    /** Whether an overflow state remembers something of the keys that share it. */
    private static boolean isCounting(KeyState common, long reading) {
        common.enter();
        try {
            return !common.isIdle(common.nowAt(reading));
        } finally {
            common.unlock();
        }
    }

    /** Whether a state, found a moment ago and locked now, still answers for the key. */
    boolean answers(KeyState state, String limiter, String key, long reading) {
        Keyspace space = spaces.get(limiter);
        if (state.shared()) {
            if (space == null) {
                return true; // closed meanwhile
            }
            if (space.own(key) != null) {
                return false;
            }
            state.advanceTo(space.left()); // the key may have had its own state since the reading
            return true;
        }
        if (state.blockIsOver(reading)) {
            if (space != null) {
                space.remove(key, state);
            }
            removed(key);
            return false;
        }
        return true;
    }

    /** Removes a retired state from its map, in case the thread that retired it has not done so yet. */
    void forget(Request request, @Nullable KeyState state) {
        Keyspace space = spaces.get(request.limiter());
        if (space != null && state != null) {
            space.remove(request.key(), state);
        }
    }

    long now() {
        return time.getAsLong();
    }

    /** Does what the timer does every second. */
    void sweepOneSecond() {
        sweeper.sweepOneSecond();
    }

    /** The state of a key was retired. */
    void removed(String key) {
        budget.remove(key);
    }
}
