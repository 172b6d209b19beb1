package dev.weir.store;

import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Algorithms;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Limits and their algorithms, in the same order. Immutable; one object serves all keys under these limits. */
final class CompiledLimits {
    final Limits limits;
    final Algorithm first;
    private final Algorithm[] all;

    private CompiledLimits(Limits limits) {
        this.limits = limits;
        this.all = limits.list().stream().map(Algorithms::of).toArray(Algorithm[]::new);
        this.first = all[0];
    }

    int size() {
        return all.length;
    }

    Algorithm algorithm(int i) {
        return all[i];
    }

    /** The limits compiled most recently, so that keys share them. Thread-safe. */
    static final class Cache {
        private static final int SLOTS = 64;

        private final AtomicReferenceArray<@Nullable CompiledLimits> slots = new AtomicReferenceArray<>(SLOTS);

        /** Returns the compiled form of limits. Two threads may compile them twice, which is harmless. */
        CompiledLimits of(Limits limits) {
            int slot = System.identityHashCode(limits) % SLOTS;
            CompiledLimits cached = slots.get(slot);
            if (cached != null && cached.limits.equals(limits)) {
                return cached;
            }
            CompiledLimits compiled = new CompiledLimits(limits);
            slots.set(slot, compiled);
            return compiled;
        }
    }
}
