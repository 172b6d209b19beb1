package dev.weir.store;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets idle keys leave, a few at a time and round and round: two for each new key, more when the store is full, and a
 * thirtieth of all keys each second from the JDK's shared timer. No thread of its own, and no scan of everything at once.
 */
final class Sweeper {
    private static final int VISITS_A_SECOND_AT_LEAST = 1000;
    private static final int SECONDS_A_ROUND = 30;

    private final MemoryStore store;
    private final ConcurrentHashMap<String, Keyspace> spaces;
    private final AtomicBoolean scheduled = new AtomicBoolean();

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
        synchronized (state) {
            if (!state.gone() && state.leave(now) && space != null) {
                space.remove(entry.getKey(), state);
                store.left();
            }
        }
    }

    /** Sees to it that the timer comes by while there are keys. */
    void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            later(new WeakReference<>(this));
        }
    }

    private static void later(WeakReference<Sweeper> sweeper) {
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> {
            Sweeper alive = sweeper.get();
            if (alive != null) {
                alive.tick(sweeper);
            }
        });
    }

    private void tick(WeakReference<Sweeper> self) {
        int keys = store.keys();
        visit(Math.max(VISITS_A_SECOND_AT_LEAST, keys / SECONDS_A_ROUND), store.now());
        if (store.keys() > 0) {
            later(self);
            return;
        }
        scheduled.set(false);
        if (store.keys() > 0) {
            schedule();
        }
    }
}
