package dev.weir.server.live;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sketches of the last minute: one for each of 12 slots of 5 s, of which the latest is being filled, so together they cover the
 * last 55 to 60 s. Not thread-safe.
 *
 * @param <T> the type of a sketch
 */
final class Slots<T> {
    private static final int SLOTS = 12;
    private static final int SLOT_SECONDS = 5;

    private final Supplier<T> create;
    private final List<@Nullable T> sketches = new ArrayList<>(); // empty, or 12
    private long slot;

    Slots(Supplier<T> create) {
        this.create = create;
    }

    /** Forgets what is older than a minute at a second, which is not before that of the last call. Returns whether there was anything. */
    boolean advance(long second) {
        long now = Math.floorDiv(second, (long) SLOT_SECONDS);
        boolean forgot = false;
        for (long next = Math.max(slot + 1, now - SLOTS + 1); next <= now && !sketches.isEmpty(); next++) {
            forgot |= sketches.set(index(next), null) != null;
        }
        slot = now;
        return forgot;
    }

    private static int index(long slot) {
        return (int) Math.floorMod(slot, (long) SLOTS);
    }

    /** Returns the sketch to fill in a second. */
    T at(long second) {
        advance(second);
        for (int i = sketches.size(); i < SLOTS; i++) {
            sketches.add(null);
        }
        T sketch = sketches.get(index(slot));
        if (sketch == null) {
            sketch = create.get();
            sketches.set(index(slot), sketch);
        }
        return sketch;
    }

    /** Returns the sketches of the last minute. */
    List<T> all() {
        List<T> all = new ArrayList<>(SLOTS);
        for (T sketch : sketches) {
            if (sketch != null) {
                all.add(sketch);
            }
        }
        return all;
    }
}
