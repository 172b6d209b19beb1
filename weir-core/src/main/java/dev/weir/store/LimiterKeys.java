package dev.weir.store;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one limiter: those with a state of their own, and the overflow states that keys share when the store is full.
 * Thread-safe.
 *
 * <p>A key is counted in its own state or in an overflow state, never in both: its own is added only under the lock of its overflow
 * state while that is idle, and under its lock the overflow state decides only for keys without their own.
 */
final class LimiterKeys extends KeyTable {
    static final int OVERFLOW_STATES = 1024;

    private final String limiter;
    private final AtomicReferenceArray<@Nullable KeyState> overflow = new AtomicReferenceArray<>(OVERFLOW_STATES);
    private final AtomicLong latestRemoved; // the latest time of a removed state

    LimiterKeys(String limiter, long now) {
        this.limiter = limiter;
        this.latestRemoved = new AtomicLong(now);
    }

    boolean isOf(String name) {
        return limiter.equals(name);
    }

    /**
     * Creates a state for a key that has none. It starts no earlier than the latest removed state, so that a delayed request cannot
     * be recorded in a window that is no longer known.
     */
    KeyState create(String key, long now) {
        return new KeyState(key, KeyState.OWN, later(latestRemoved.get(), now));
    }

    /** Removes a retired state. */
    void remove(KeyState retired) {
        latestRemoved.accumulateAndGet(retired.last(), LimiterKeys::later);
        removeEntry(retired);
    }

    long latestRemoved() {
        return latestRemoved.get();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** Returns the overflow state that a key would share. */
    KeyState overflow(String key, long now) {
        int hash = key.hashCode() * 0x9E3779B9; // golden ratio: spreads keys that differ little
        int slot = (hash >>> 16) % OVERFLOW_STATES;
        KeyState state = overflow.get(slot);
        if (state == null) {
            overflow.compareAndSet(slot, null, new KeyState("", slot, now));
            state = Objects.requireNonNull(overflow.get(slot));
        }
        return state;
    }
}
