package dev.weir.store;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Removes idle keys, a few at a time and in rounds: it visits two keys for each new key, more when the store is full, and a
 * fifteenth of all keys each second, from a timer that all stores share. So a key is removed within 30 s of becoming idle,
 * whatever the number of keys. It has no thread of its own, and does not keep an unreachable store alive.
 */
final class Sweeper {
    private static final int VISITS_A_SECOND_AT_LEAST = 1000;
    private static final int SECONDS_A_ROUND = 15; // a key that becomes idle after its visit waits for the next round

    /** The sweepers that the one timer of all stores visits, and whether it goes. */
    private static final Queue<WeakReference<Sweeper>> VISITED = new ConcurrentLinkedQueue<>();

    private static final AtomicBoolean TICKING = new AtomicBoolean();

    private final MemoryStore store;
    private final ConcurrentHashMap<String, Keyspace> spaces;
    private final AtomicBoolean visited = new AtomicBoolean(); // by the timer

    // A round in progress; guarded by `round`, and whoever finds it taken goes on without.
    private final ReentrantLock round = new ReentrantLock();
    private Iterator<Keyspace> nextSpaces = Collections.emptyIterator();
    private Iterator<Map.Entry<String, KeyState>> nextKeys = Collections.emptyIterator();
    private @Nullable Keyspace space;
    private volatile int roundKeys; // the keys when the round started: it must not slow down as they are removed

    Sweeper(MemoryStore store, ConcurrentHashMap<String, Keyspace> spaces) {
        this.store = store;
        this.spaces = spaces;
    }

    /** Visits the given number of keys, or all if they are fewer, and removes those that are idle. */
    void visit(int keys, long now) {
        if (!round.tryLock()) {
            return;
        }
        try {
            boolean startedOver = false;
            for (int visited = 0; visited < keys; ) {
                if (nextKeys.hasNext()) {
                    visit(nextKeys.next(), now);
                    visited++;
                } else if (nextSpaces.hasNext()) {
                    space = nextSpaces.next();
                    nextKeys = space.iterator();
                } else if (startedOver) {
                    return;
                } else {
                    startedOver = true;
                    roundKeys = store.keys();
                    nextSpaces = spaces.values().iterator();
                }
            }
        } finally {
            round.unlock();
        }
    }

    private void visit(Map.Entry<String, KeyState> entry, long now) {
        KeyState state = entry.getValue();
        if (!state.tryEnter()) {
            return; // its turn comes again
        }
        try {
            if (space != null && state.leave(now)) {
                space.remove(entry.getKey(), state);
                store.removed(entry.getKey());
            }
        } finally {
            state.unlock();
        }
    }

    /** Sees to it that the timer comes by while there are keys. */
    void schedule() {
        if (!visited.get() && visited.compareAndSet(false, true)) {
            VISITED.add(new WeakReference<>(this));
            if (TICKING.compareAndSet(false, true)) {
                later();
            }
        }
    }

    private static void later() {
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(Sweeper::tick);
    }

    private static void tick() {
        List<WeakReference<Sweeper>> again = new ArrayList<>();
        try {
            for (WeakReference<Sweeper> next = VISITED.poll(); next != null; next = VISITED.poll()) {
                Sweeper sweeper = next.get();
                if (sweeper != null && sweeper.comeBy()) {
                    again.add(next);
                }
            }
        } finally { // a store whose clock throws is not visited again before it has a new key; the others are
            VISITED.addAll(again);
            TICKING.set(false);
            if (!VISITED.isEmpty() && TICKING.compareAndSet(false, true)) {
                later();
            }
        }
    }

    /** Visits as many keys as a second's share of a round. */
    void sweepOneSecond() {
        int keys = Math.max(roundKeys, store.keys());
        visit(Math.max(VISITS_A_SECOND_AT_LEAST, keys / SECONDS_A_ROUND + 1), store.now());
    }

    /** The timer's visit; false if it need not come again until there are new keys. */
    private boolean comeBy() {
        visited.set(false);
        sweepOneSecond();
        return store.keys() > 0 && visited.compareAndSet(false, true);
    }
}
