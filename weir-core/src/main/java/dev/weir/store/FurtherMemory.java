package dev.weir.store;

import dev.weir.algorithm.Memory;

/** The memory of a key's second limit, or third; that of the first is the key's state itself. */
final class FurtherMemory extends Memory {
    FurtherMemory(long now) {
        super(now);
    }

    FurtherMemory(Memory other) {
        super(other);
    }
}
