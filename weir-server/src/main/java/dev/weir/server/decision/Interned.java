package dev.weir.server.decision;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Values made of what requests bring: the same for equal keys, so that the store recognizes their limits. Forgets all when more than
 * 1,024 different keys are in use, so clients cannot fill the memory. Thread-safe.
 *
 * @param <K> the type of the keys, which are immutable
 * @param <V> the type of the values
 */
public final class Interned<K, V> {
    private static final int MOST = 1_024;

    private final Map<K, V> values = new ConcurrentHashMap<>();
    private final Function<K, V> create;

    public Interned(Function<K, V> create) {
        this.create = create;
    }

    /** Returns the value of a key. What creates it may throw; then nothing is kept. */
    public V get(K key) {
        V known = values.get(key);
        if (known != null) {
            return known;
        }
        V created = create.apply(key);
        if (values.size() >= MOST) {
            values.clear();
        }
        values.put(key, created);
        return created;
    }
}
