package dev.weir.stress.races;

import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The bounds of a store. */
public record Room(int maxKeys, long maxKeyBytes) {
    /** Names another class of store, with a constructor of a time source and a room. Tests name stores that are broken. */
    public static final String STORE_PROPERTY = "stress.store";

    /** Room for all keys. */
    public static final Room ENOUGH = keys(1_000);

    private static final @Nullable String STORE = System.getProperty(STORE_PROPERTY);

    /** Room for the given number of keys. */
    public static Room keys(int maxKeys) {
        return new Room(maxKeys, Long.MAX_VALUE);
    }

    /** Creates a store with these bounds, of the class that the property names if it is set. */
    public Store store(TimeSource timeSource) {
        if (STORE == null) {
            return memoryStore(timeSource);
        }
        try {
            return Class.forName(STORE)
                    .asSubclass(Store.class)
                    .getConstructor(TimeSource.class, Room.class)
                    .newInstance(timeSource, this);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot create " + STORE, e);
        }
    }

    /** Creates a store in memory with these bounds. */
    public MemoryStore memoryStore(TimeSource timeSource) {
        MemoryStore store = MemoryStore.builder()
                .timeSource(timeSource)
                .maxKeys(maxKeys)
                .maxKeyBytes(maxKeyBytes)
                .build();
        stopTimer(store);
        return store;
    }

    /**
     * Pretends that the timer of a store is already started, so that it never is: its thread would interfere in the middle of an
     * interleaving, unknown to the tools that choose them.
     */
    private static void stopTimer(MemoryStore store) {
        try {
            Object timer = field(store, "idleKeyTimer");
            ((AtomicBoolean) field(timer, "scheduled")).set(true);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the store has no such timer", e);
        }
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }
}
