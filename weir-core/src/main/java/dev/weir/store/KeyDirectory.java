package dev.weir.store;

import dev.weir.Request;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The states of all keys of a store: finds, creates and removes them, within its bounds. Thread-safe. */
final class KeyDirectory {
    private static final int BINS_PER_KEY = 4; // with two keys or more, most of the time
    private static final int BINS_WHEN_FULL = 64;
    private static final int MAX_SPINS = 1_000; // some 10 us, which a visit of a full store takes
    private static final long UNUSED_NANOS = 1_000_000_000; // keys that are requested sooner keep their state

    private static final VarHandle VISITING = LockedState.handle(MethodHandles.lookup(), "visiting", boolean.class);

    private final KeyTable states;
    private final AtomicReference<@Nullable Long> latestRemoved = new AtomicReference<>(); // the time of that state

    // A round of visits; the thread that sets `visiting` continues it.
    private volatile boolean visiting;
    private KeyTable.BinIterator nextBins;
    private volatile int mostBins; // during this round: collided states are removed meanwhile; a race is benign

    KeyDirectory(int maxKeys, long maxKeyBytes) {
        states = new KeyTable(maxKeys, maxKeyBytes);
        nextBins = states.binIterator();
    }

    /** Returns a key's state, if it has one. */
    @Nullable
    KeyState find(String limiter, String key) {
        return states.get(limiter, key);
    }

    /**
     * Returns a key's state, created if there is room; null if the store is full.
     *
     * @param add whether to add a created state, in which requests are recorded; else it only shows what they would find
     */
    @Nullable
    KeyState stateFor(Request request, long reading, boolean add) {
        KeyState found = find(request.limiter(), request.key());
        if (found != null) {
            return found;
        }
        if (!states.hasRoomFor(request.key())) {
            makeRoom(reading);
        } else if (add) {
            visit(BINS_PER_KEY, reading, UNUSED_NANOS);
        }
        if (!add) {
            return states.hasRoomFor(request.key()) ? create(request, reading) : null;
        }
        return states.getOrAdd(request.limiter(), request.key(), true, () -> create(request, reading));
    }

    /** Returns a key's state, created whether there is room or not. */
    KeyState stateToBlock(Request request, long reading) {
        KeyState state = states.getOrAdd(request.limiter(), request.key(), false, () -> create(request, reading));
        return Objects.requireNonNull(state, "added whether there is room or not");
    }

    /**
     * Creates a state for a key that has none. It starts no earlier than the latest removed state, so that a delayed request cannot
     * be recorded in a window that is no longer known.
     */
    private KeyState create(Request request, long reading) {
        Long removed = latestRemoved.get();
        long start = removed == null || reading - removed >= 0 ? reading : removed;
        return new KeyState(request.limiter(), request.key(), start);
    }

    /** Acquires the lock of a key's state. Returns false, without the lock, if it is retired, and the key must be looked up again. */
    boolean enter(KeyState state) {
        if (state.enter()) {
            return true;
        }
        remove(state); // in case the thread that retired it has not done so yet
        return false;
    }

    private void remove(KeyState retired) {
        latestRemoved.accumulateAndGet(retired.last(), (one, other) -> one == null || other - one > 0 ? other : one);
        states.remove(retired);
    }

    int size() {
        return states.size();
    }

    double utilization() {
        return states.utilization();
    }

    String occupancy() {
        return states.occupancy();
    }

    void clear() {
        states.clear();
    }

    /** Visits a share of all keys, at least the given number of bins, and removes those that are idle. */
    void visitShare(int share, int atLeast, long now) {
        mostBins = Math.max(mostBins, states.bins());
        visit(Math.max(atLeast, mostBins / share + 1), now, 0);
    }

    /** Visits some bins, or waits until another thread has done so, but not longer than that takes. */
    private void makeRoom(long now) {
        boolean visited = visit(BINS_WHEN_FULL, now, 0);
        for (int i = 0; !visited && i < MAX_SPINS && visiting; i++) {
            Thread.onSpinWait();
        }
    }

    /**
     * Visits the next bins of the round and removes the keys in them that are idle. Empty bins count, too, so that the time is
     * bounded however few keys are left. Returns false, and does nothing, if another thread does so.
     *
     * @param unused for how long the keys must not have been requested, in nanoseconds
     */
    private boolean visit(int bins, long now, long unused) {
        if (!VISITING.compareAndSet(this, false, true)) {
            return false;
        }
        try {
            for (int i = 0; i < bins; i++) {
                if (nextBins.hasNext()) {
                    visitBin(nextBins.next(), now, unused);
                } else {
                    nextBins = states.binIterator();
                    mostBins = 0;
                }
            }
            return true;
        } finally {
            visiting = false; // not the unlock of a lock, which a thread at the end of its stack could not call
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
        if (state.offer().isInForce(now) || !state.tryEnter()) {
            return; // it is in use, and is visited again
        }
        try {
            if (state.timeAt(now) - state.last() >= unused && state.retireIfIdle(now)) {
                remove(state);
            }
        } finally {
            state.unlock();
        }
    }
}
