package dev.weir.store;

/** Counts the keys of a store and the bytes of their text, and bounds both. Thread-safe. */
final class KeyBudget {
    private final int maxKeys;
    private final long maxBytes;
    private int keys;
    private long bytes;

    KeyBudget(int maxKeys, long maxBytes) {
        this.maxKeys = maxKeys;
        this.maxBytes = maxBytes;
    }

    synchronized int keys() {
        return keys;
    }

    /** Whether {@link #tryAdd} would add a key. */
    synchronized boolean hasRoomFor(String key) {
        return keys < maxKeys && bytes <= maxBytes - size(key);
    }

    /** Adds a key if it fits. */
    synchronized boolean tryAdd(String key) {
        boolean fits = hasRoomFor(key);
        if (fits) {
            add(key);
        }
        return fits;
    }

    /** Adds a key whether it fits or not. */
    synchronized void add(String key) {
        keys++;
        bytes += size(key);
    }

    synchronized void remove(String key) {
        keys--;
        bytes -= size(key);
    }

    synchronized void clear() {
        keys = 0;
        bytes = 0;
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
