package dev.weir.store;

import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Memory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What few keys need: the memories of several limits, a block, and what a state has that keys share. */
final class Extras {
    /** A state of one key only. */
    static final int OWN = -1;

    /** A limit's memory, the rule it is kept by, and its name. */
    record Named(String name, Algorithm algorithm, Memory memory) {}

    /** The place among the common states, or {@link #OWN}. */
    final int slot;

    Memory @Nullable [] memories; // of the limits, in their order; one of them may be the state itself
    List<Named> dormant = List.of(); // of limits that others have who share this state, or that there were before
    boolean blocked;
    long blockedUntil; // if blocked
    boolean blockOnly; // stands before the common state for as long as the key is blocked
    boolean notAwaited; // the request that this state was made for does not come

    Extras(int slot) {
        this.slot = slot;
    }

    /** Another one that remembers the same. */
    Extras copy(KeyState from, KeyState to) {
        Extras copy = new Extras(slot);
        if (memories != null) {
            copy.memories = new Memory[memories.length];
            for (int i = 0; i < memories.length; i++) {
                copy.memories[i] = memories[i] == from ? to : new FurtherMemory(memories[i]);
            }
        }
        copy.dormant = dormant.stream()
                .map(one -> new Named(one.name, one.algorithm, one.memory == from ? to : new FurtherMemory(one.memory)))
                .toList();
        copy.blocked = blocked;
        copy.blockedUntil = blockedUntil;
        copy.blockOnly = blockOnly;
        copy.notAwaited = notAwaited;
        return copy;
    }

    /** Whether nobody needs these any more. */
    boolean areIdle(long now) {
        return slot == OWN && memories == null && !blockOnly && blockedFor(now) == 0 && isNothingDormant(now);
    }

    /** Whether nothing is remembered of other limits. */
    boolean isNothingDormant(long now) {
        return dormant.stream().allMatch(one -> one.algorithm.idle(one.memory, now));
    }

    /** The wait that the block makes. */
    long blockedFor(long now) {
        return blocked ? Math.max(0, blockedUntil - now) : 0;
    }
}
