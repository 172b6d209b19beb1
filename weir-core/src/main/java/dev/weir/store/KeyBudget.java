package dev.weir.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the keys of a store and the bytes of their text, and bounds both. Thread-safe. */
final class KeyBudget {
    private final int maxKeys;
    private final long maxBytes;
    private final AtomicInteger keys = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    KeyBudget(int maxKeys, long maxBytes) {
        this.maxKeys = maxKeys;
        this.maxBytes = maxBytes;
    }

    int keys() {
        return keys.get();
    }

    /** Whether no further key of any length fits. */
    boolean isFull() {
        return keys.get() >= maxKeys || bytes.get() >= maxBytes;
    }

    /** Whether {@link #tryAdd} would add a key. */
    boolean hasRoomFor(String key) {
        return keys.get() < maxKeys && bytes.get() <= maxBytes - size(key);
    }

    /** Adds a key if it fits. One that does not is never counted, so that it cannot take the place of one that does. */
    boolean tryAdd(String key) {
        long size = size(key);
        if (bytes.getAndUpdate(used -> used <= maxBytes - size ? used + size : used) > maxBytes - size) {
            return false;
        }
        if (keys.getAndUpdate(used -> used < maxKeys ? used + 1 : used) >= maxKeys) {
            bytes.addAndGet(-size);
            return false;
        }
        return true;
    }

    /** Adds a key whether it fits or not. */
    void add(String key) {
        bytes.addAndGet(size(key));
        keys.incrementAndGet();
    }

    void remove(String key) {
        bytes.addAndGet(-size(key));
        keys.decrementAndGet();
    }

    void clear() {
        keys.set(0);
        bytes.set(0);
    }

    /** The bytes that the JVM stores for the text: one per character in Latin-1, else two. */
    private static long size(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) > 0xFF) {
                return 2L * key.length();
            }
        }
        return key.length();
    }
}
