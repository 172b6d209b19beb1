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
 * Lets idle keys leave, a few at a time and round and round: two for each new key, more when the store is full, and a
 * thirtieth of all keys each second, from a timer that all stores share. No thread of its own, and no scan of everything
 * at once. A store that nobody holds any more is not kept alive by it.
 */
final class Sweeper {
    private static final int VISITS_A_SECOND_AT_LEAST = 1000;
    private static final int SECONDS_A_ROUND = 30;

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

    Sweeper(MemoryStore store, ConcurrentHashMap<String, Keyspace> spaces) {
        this.store = store;
        this.spaces = spaces;
    }

    /** Visits so many keys, or all if they are fewer, and lets those leave that are idle. */
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
            if (state.leave(now) && space != null) {
                space.remove(entry.getKey(), state);
                store.left();
            }
        } finally {
            state.exit();
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

    /** The timer's visit; false if it need not come again until there are new keys. */
    private boolean comeBy() {
        visited.set(false);
        visit(Math.max(VISITS_A_SECOND_AT_LEAST, store.keys() / SECONDS_A_ROUND), store.now());
        return store.keys() > 0 && visited.compareAndSet(false, true);
    }
}
