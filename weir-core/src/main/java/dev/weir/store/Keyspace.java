package dev.weir.store;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one limiter: those with a state of their own, and the common states that keys share when the store is full.
 *
 * <p>A key has its own state or is counted in its common one, never both: its own is made only under the lock of the
 * common state, while that is idle; and the common state, under its lock, answers only for keys without their own.
 */
final class Keyspace {
    static final int COMMON_STATES = 1024;

    private final String limiter;
    private final ConcurrentHashMap<String, KeyState> own = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable KeyState> common = new AtomicReferenceArray<>(COMMON_STATES);
    private final AtomicLong left; // the latest time at which an own state was removed

    Keyspace(String limiter, long now) {
        this.limiter = limiter;
        this.left = new AtomicLong(now);
    }

    /** Whether these are the keys of that limiter. */
    boolean isOf(String name) {
        return limiter.equals(name);
    }

    @Nullable
    KeyState own(String key) {
        return own.get(key);
    }

    /**
     * A state of a key that is not here. Its time goes on where that of states that left has ended, lest a request that was
     * long on its way books within a window that is no longer remembered.
     */
    KeyState notSeen(long now) {
        return KeyState.own(later(left.get(), now));
    }

    /** Gives a key a state of its own, under the lock of its common one. */
    void put(String key, KeyState state) {
        own.put(key, state);
    }

    void replace(String key, KeyState state, KeyState next) {
        own.replace(key, state, next);
    }

    /** Takes out a state that has gone. */
    void remove(String key, KeyState gone) {
        left.accumulateAndGet(gone.seen(), Keyspace::later);
        own.remove(key, gone);
    }

    /** Returns the latest time at which a key's own state was removed. */
    long left() {
        return left.get();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    Iterator<Map.Entry<String, KeyState>> iterator() {
        return own.entrySet().iterator();
    }

    /** The state that this key would share. */
    KeyState common(String key, long now) {
        int hash = key.hashCode() * 0x9E3779B9; // golden ratio: spreads keys that differ little
        int i = (hash >>> 16) % COMMON_STATES;
        KeyState state = common.get(i);
        if (state == null) {
            common.compareAndSet(i, null, KeyState.common(now, i));
            state = Objects.requireNonNull(common.get(i));
        }
        return state;
    }
}
