package dev.weir.store;

import dev.weir.Request;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The states of all keys of a store: finds, creates and removes them, within its bounds. Thread-safe. */
final class KeyDirectory {
    private static final int BINS_PER_KEY = 4; // with two keys or more, most of the time
    private static final int BINS_WHEN_FULL = 64;
    private static final long UNUSED_NANOS = 1_000_000_000; // keys that are requested sooner keep their state

    private final ConcurrentHashMap<String, LimiterKeys> limiters = new ConcurrentHashMap<>();
    private volatile @Nullable LimiterKeys first; // usually the only one
    private final KeyBudget budget;
    private final boolean sharesWhenFull;

    // A round of visits; guarded by `round`.
    private final ReentrantLock round = new ReentrantLock();
    private Iterator<LimiterKeys> nextLimiters = Collections.emptyIterator();
    private KeyTable.@Nullable BinIterator nextBins;
    private @Nullable LimiterKeys visited;

    KeyDirectory(KeyBudget budget, boolean sharesWhenFull) {
        this.budget = budget;
        this.sharesWhenFull = sharesWhenFull;
    }

    /** Returns a key's own state, if it has one. */
    @Nullable
    KeyState own(String limiter, String key) {
        LimiterKeys keys = first;
        if (keys == null || !keys.isOf(limiter)) {
            keys = limiters.get(limiter);
        }
        return keys == null ? null : keys.get(key);
    }

    private LimiterKeys keys(Request request, long reading) {
        LimiterKeys keys = limiters.get(request.limiter());
        return keys != null ? keys : limiters.computeIfAbsent(request.limiter(), name -> keys(name, reading));
    }

    private LimiterKeys keys(String limiter, long reading) {
        LimiterKeys keys = new LimiterKeys(limiter, reading);
        if (first == null) {
            first = keys;
        }
        return keys;
    }

    /**
     * Returns the state that decides for a key: its own, created if there is room, or an overflow state; null if there is none.
     *
     * @param add whether to add a created state, in which requests are recorded; else it only shows what they would find
     */
    @Nullable
    KeyState stateFor(Request request, long reading, boolean add) {
        LimiterKeys keys = keys(request, reading);
        KeyState own = keys.get(request.key());
        return own != null ? own : stateForNew(keys, request.key(), reading, add);
    }

    private @Nullable KeyState stateForNew(LimiterKeys keys, String key, long reading, boolean add) {
        if (add) {
            boolean full = budget.isFull();
            visit(full ? BINS_WHEN_FULL : BINS_PER_KEY, reading, full ? 0 : UNUSED_NANOS);
        }
        KeyState overflow = keys.overflow(key, reading);
        overflow.enter();
        try {
            KeyState own = keys.get(key);
            if (own != null) {
                return own;
            }
            long now = overflow.timeAt(reading);
            if (overflow.isIdle(now) && (add ? budget.tryAdd(key) : budget.hasRoomFor(key))) {
                KeyState state = keys.create(key, now);
                if (add) {
                    keys.add(state);
                }
                return state;
            }
        } finally {
            overflow.unlock();
        }
        return sharesWhenFull ? overflow : null;
    }

    /**
     * Adds a blocked state for a key without a state, whether there is room or not. While keys share an overflow state that counts,
     * it is there for the block only.
     *
     * @return the key's own state if it has one; null if a blocked one was added
     */
    @Nullable
    KeyState addBlocked(Request request, long nanos, long reading) {
        LimiterKeys keys = keys(request, reading);
        KeyState overflow = keys.overflow(request.key(), reading);
        overflow.enter();
        try {
            KeyState own = keys.get(request.key());
            if (own == null) {
                long now = overflow.timeAt(reading);
                KeyState blocked = keys.create(request.key(), now);
                blocked.block(blocked.timeAt(reading), nanos, !overflow.isIdle(now));
                keys.add(blocked);
                budget.add(request.key());
            }
            return own;
        } finally {
            overflow.unlock();
        }
    }

    /**
     * Acquires the lock of a state that was found for a request. Returns false, without the lock, if it does not decide
     * for the key any more, which must be looked up again.
     */
    boolean enter(KeyState state, Request request, long reading) {
        if (!state.enter()) {
            remove(request.limiter(), state);
            return false;
        }
        boolean decides = false;
        try {
            decides = decides(state, request.limiter(), request.key(), reading);
        } finally {
            if (!decides) {
                state.unlock();
            }
        }
        return decides;
    }

    /** Returns whether a state decides for a key. The caller holds its lock. */
    boolean decides(KeyState state, String limiter, String key, long reading) {
        LimiterKeys keys = limiters.get(limiter);
        if (state.isShared()) {
            if (keys == null) {
                return true; // the store was closed meanwhile
            }
            if (keys.get(key) != null) {
                return false;
            }
            state.advanceTo(keys.latestRemoved()); // the key may have had its own state since the reading
            return true;
        }
        if (state.blocksOnly() && state.retireIfIdle(reading)) {
            if (keys != null) {
                keys.remove(state);
            }
            budget.remove(key);
            return false;
        }
        return true;
    }

    /** Removes a retired state, in case the thread that retired it has not done so yet. */
    private void remove(String limiter, KeyState retired) {
        LimiterKeys keys = limiters.get(limiter);
        if (keys != null) {
            keys.remove(retired);
        }
    }

    int size() {
        return budget.keys();
    }

    void clear() {
        first = null;
        limiters.clear();
        budget.clear();
    }

    /** Visits a share of all keys, at least the given number of bins, and removes those that are idle. */
    void visitShare(int share, int atLeast, long now) {
        int bins = limiters.size();
        for (LimiterKeys keys : limiters.values()) {
            bins += keys.bins();
        }
        visit(Math.max(atLeast, bins / share + 1), now, 0);
    }

    /**
     * Visits the next bins of the round and removes the keys in them that are idle. Empty bins and limiters count, too, so that the
     * time is bounded however few keys are left. Does nothing if another thread does so.
     *
     * @param unused for how long the keys must not have been requested, in nanoseconds
     */
    private void visit(int bins, long now, long unused) {
        if (!round.tryLock()) {
            return;
        }
        try {
            for (int i = 0; i < bins; i++) {
                if (nextBins != null && nextBins.hasNext()) {
                    visitBin(nextBins.next(), now, unused);
                } else if (nextLimiters.hasNext()) {
                    visited = nextLimiters.next();
                    nextBins = visited.binIterator();
                } else {
                    nextLimiters = limiters.values().iterator();
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
            removeIfIdle(state, now, unused);
        }
    }

    private void removeIfIdle(KeyState state, long now, long unused) {
        if (!state.tryEnter()) {
            return; // it is visited again
        }
        try {
            if (visited != null && state.timeAt(now) - state.last() >= unused && state.retireIfIdle(now)) {
                visited.remove(state);
                budget.remove(state.key);
            }
        } finally {
            state.unlock();
        }
    }
}
