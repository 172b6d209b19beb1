package dev.weir.store;

import dev.weir.Request;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The states of all keys of a store: finds, creates and removes them, within its bounds. Thread-safe.
 *
 * <p>A key is counted in its own state or in an overflow state, never in both: its own is added only under the lock of its overflow
 * state while that is idle, and under its lock the overflow state decides only for keys without their own.
 */
final class KeyDirectory {
    private static final int OVERFLOW_STATES = 1024; // of each limiter

    private static final int BINS_PER_KEY = 4; // with two keys or more, most of the time
    private static final int BINS_WHEN_FULL = 64;
    private static final long UNUSED_NANOS = 1_000_000_000; // keys that are requested sooner keep their state

    private final KeyTable own = new KeyTable();
    private final ConcurrentHashMap<Slot, KeyState> overflow = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Long> latestRemoved = new AtomicReference<>(); // the time of that state
    private final KeyBudget budget;
    private final boolean sharesWhenFull;

    // A round of visits; guarded by `round`.
    private final ReentrantLock round = new ReentrantLock();
    private KeyTable.BinIterator nextBins = own.binIterator();
    private volatile int mostBins; // during this round: collided states are removed meanwhile; a race is benign

    /** The place of an overflow state. */
    private record Slot(String limiter, int number) {}

    KeyDirectory(KeyBudget budget, boolean sharesWhenFull) {
        this.budget = budget;
        this.sharesWhenFull = sharesWhenFull;
    }

    /** Returns a key's own state, if it has one. */
    @Nullable
    KeyState own(String limiter, String key) {
        return own.get(limiter, key);
    }

    /** Returns the overflow state that a key would share. */
    private KeyState overflow(Request request, long now) {
        int hash = request.key().hashCode() * 0x9E3779B9; // golden ratio: spreads keys that differ little
        Slot slot = new Slot(request.limiter(), (hash >>> 16) % OVERFLOW_STATES);
        KeyState state = overflow.get(slot);
        return state != null
                ? state
                : overflow.computeIfAbsent(slot, at -> new KeyState(at.limiter, "", at.number, now));
    }

    /**
     * Creates a state for a key that has none. It starts no earlier than the latest removed state, so that a delayed request cannot
     * be recorded in a window that is no longer known.
     */
    private KeyState create(Request request, long now) {
        return new KeyState(request.limiter(), request.key(), KeyState.OWN, afterRemoved(now));
    }

    private long afterRemoved(long now) {
        Long removed = latestRemoved.get();
        return removed == null || now - removed >= 0 ? now : removed;
    }

    /**
     * Returns the state that decides for a key: its own, created if there is room, or an overflow state; null if there is none.
     *
     * @param add whether to add a created state, in which requests are recorded; else it only shows what they would find
     */
    @Nullable
    KeyState stateFor(Request request, long reading, boolean add) {
        KeyState found = own.get(request.limiter(), request.key());
        if (found != null) {
            return found;
        }
        if (add) {
            boolean full = budget.isFull();
            visit(full ? BINS_WHEN_FULL : BINS_PER_KEY, reading, full ? 0 : UNUSED_NANOS);
        }
        KeyState shared = overflow(request, reading);
        shared.enter();
        try {
            KeyState known = own.get(request.limiter(), request.key());
            if (known != null) {
                return known;
            }
            long now = shared.timeAt(reading);
            if (shared.isIdle(now) && (add ? budget.tryAdd(request.key()) : budget.hasRoomFor(request.key()))) {
                KeyState state = create(request, now);
                if (add) {
                    own.add(state);
                }
                return state;
            }
        } finally {
            shared.unlock();
        }
        return sharesWhenFull ? shared : null;
    }

    /**
     * Adds a blocked state for a key without a state, whether there is room or not. While keys share an overflow state that counts,
     * it is there for the block only.
     *
     * @return the key's own state if it has one; null if a blocked one was added
     */
    @Nullable
    KeyState addBlocked(Request request, long nanos, long reading) {
        KeyState shared = overflow(request, reading);
        shared.enter();
        try {
            KeyState known = own.get(request.limiter(), request.key());
            if (known == null) {
                long now = shared.timeAt(reading);
                KeyState blocked = create(request, now);
                blocked.block(blocked.timeAt(reading), nanos, !shared.isIdle(now));
                own.add(blocked);
                budget.add(request.key());
            }
            return known;
        } finally {
            shared.unlock();
        }
    }

    /**
     * Acquires the lock of a state that was found for requests. Returns false, without the lock, if it does not decide
     * for one of the keys any more, which must be looked up again.
     */
    boolean enter(KeyState state, List<Request> requests, long reading) {
        if (!state.enter()) {
            remove(state); // in case the thread that retired it has not done so yet
            return false;
        }
        boolean decides = false;
        try {
            decides = decides(state, requests, reading);
        } finally {
            if (!decides) {
                state.unlock();
            }
        }
        return decides;
    }

    /** Returns whether a state decides for requests. The caller holds its lock. */
    private boolean decides(KeyState state, List<Request> requests, long reading) {
        if (!state.isShared()) {
            return !state.blocksOnly() || !removeIfIdle(state, reading);
        }
        for (Request request : requests) {
            if (own.get(request.limiter(), request.key()) != null) {
                return false;
            }
        }
        state.advanceTo(afterRemoved(state.last())); // the key may have had its own state since the reading
        return true;
    }

    /** Removes a state if it is idle. The caller holds its lock. */
    private boolean removeIfIdle(KeyState state, long now) {
        if (!state.retireIfIdle(now)) {
            return false;
        }
        remove(state);
        budget.remove(state.key);
        return true;
    }

    private void remove(KeyState retired) {
        latestRemoved.accumulateAndGet(retired.last(), (one, other) -> one == null || other - one > 0 ? other : one);
        own.remove(retired);
    }

    int size() {
        return budget.keys();
    }

    void clear() {
        own.clear();
        overflow.clear();
        budget.clear();
    }

    /** Visits a share of all keys, at least the given number of bins, and removes those that are idle. */
    void visitShare(int share, int atLeast, long now) {
        mostBins = Math.max(mostBins, own.bins());
        visit(Math.max(atLeast, mostBins / share + 1), now, 0);
    }

    /**
     * Visits the next bins of the round and removes the keys in them that are idle. Empty bins count, too, so that the time is
     * bounded however few keys are left. Does nothing if another thread does so.
     *
     * @param unused for how long the keys must not have been requested, in nanoseconds
     */
    private void visit(int bins, long now, long unused) {
        if (!round.tryLock()) {
            return;
        }
        try {
            for (int i = 0; i < bins; i++) {
                if (nextBins.hasNext()) {
                    visitBin(nextBins.next(), now, unused);
                } else {
                    nextBins = own.binIterator();
                    mostBins = 0;
                }
            }
        } finally {
            round.unlock();
        }
    }

    private void visitBin(@Nullable KeyState first, long now, long unused) {
        KeyState after;
        for (KeyState state = first; state != null; state = after) {
            after = state.next;
            removeIfUnused(state, now, unused);
        }
    }

    private void removeIfUnused(KeyState state, long now, long unused) {
        if (!state.tryEnter()) {
            return; // it is visited again
        }
        try {
            if (state.timeAt(now) - state.last() >= unused) {
                removeIfIdle(state, now);
            }
        } finally {
            state.unlock();
        }
    }
}
