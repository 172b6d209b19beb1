package dev.weir.store;

import dev.weir.TimeSource;
import java.util.Objects;

/** A builder of {@link MemoryStore}. Everything has a default. Not thread-safe. */
public final class MemoryStoreBuilder {
    private static final int DEFAULT_MAX_KEYS = 1_000_000;
    private static final long DEFAULT_MAX_KEY_BYTES = 256L << 20; // 256 MiB

    private TimeSource timeSource = TimeSource.system();
    private int maxKeys = DEFAULT_MAX_KEYS;
    private long maxKeyBytes = DEFAULT_MAX_KEY_BYTES;
    private WhenFull whenFull = WhenFull.SHARE;

    MemoryStoreBuilder() {}

    /**
     * Sets the time source.
     *
     * @param timeSource by default {@link TimeSource#system}
     * @return this builder
     */
    public MemoryStoreBuilder timeSource(TimeSource timeSource) {
        this.timeSource = Objects.requireNonNull(timeSource, "timeSource must not be null");
        return this;
    }

    /**
     * Bounds the number of keys that have a state of their own.
     *
     * @param maxKeys at least 1; by default 1,000,000
     * @return this builder
     */
    public MemoryStoreBuilder maxKeys(int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("maxKeys must be at least 1, was " + maxKeys);
        }
        this.maxKeys = maxKeys;
        return this;
    }

    /**
     * Bounds the memory that the text of those keys takes: one byte per character in Latin-1, two for all characters of a key
     * that has others.
     *
     * @param maxKeyBytes at least 1; by default 256 MiB
     * @return this builder
     */
    public MemoryStoreBuilder maxKeyBytes(long maxKeyBytes) {
        if (maxKeyBytes < 1) {
            throw new IllegalArgumentException("maxKeyBytes must be at least 1, was " + maxKeyBytes);
        }
        this.maxKeyBytes = maxKeyBytes;
        return this;
    }

    /**
     * Sets what happens to a new key when the store is full.
     *
     * @param whenFull by default {@link WhenFull#SHARE}
     * @return this builder
     */
    public MemoryStoreBuilder whenFull(WhenFull whenFull) {
        this.whenFull = Objects.requireNonNull(whenFull, "whenFull must not be null");
        return this;
    }

    /** {@return the store} */
    public MemoryStore build() {
        return new MemoryStore(timeSource, new KeyBudget(maxKeys, maxKeyBytes), whenFull);
    }
}
