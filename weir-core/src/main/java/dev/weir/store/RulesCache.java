package dev.weir.store;

import dev.weir.Limits;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The rules of the limits last asked for, so that keys under the same limits share them. Thread-safe. */
final class RulesCache {
    private static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable Rules> slots = new AtomicReferenceArray<>(SLOTS);

    /** The rules of these limits. Two threads may make them twice, which is harmless. */
    Rules of(Limits limits) {
        int slot = System.identityHashCode(limits) % SLOTS;
        Rules cached = slots.get(slot);
        if (cached != null && cached.limits.equals(limits)) {
            return cached;
        }
        Rules made = new Rules(limits);
        slots.set(slot, made);
        return made;
    }
}
