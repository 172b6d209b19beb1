package dev.weir.store;

import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.LimitState;
import java.util.List;

/**
 * The change of a key's limits. A limit continues with the state of the one that had its name, if that is of the same algorithm.
 * States that no limit continues are kept while they are not idle, because other versions of an application may still use them.
 */
final class LimitMigration {
    private static final int MAX_DORMANT = 64;

    private LimitMigration() {}

    /**
     * Prepares a key's state for a request: sets the time, and continues under the request's limits. The caller holds the lock.
     *
     * <p>What the key's own state contains is moved out, and what the first limit continues with is moved in: a key with one limit is
     * one object, whatever its limits were before. If there is no memory for that, the key continues under its former limits.
     */
    static void prepare(KeyState key, CompiledLimits limits, long now) {
        key.start(now);
        if (key.isUnder(limits.limits)) {
            return;
        }
        LimitState own = LimitState.create(now);
        List<DormantLimit> known = key.known(own); // oldest first
        LimitState[] states = new LimitState[limits.size()];
        LimitState first = own;
        own.take(key, now);
        try {
            known.removeIf(one -> one.isIdle(now));
            for (int i = 0; i < states.length; i++) {
                states[i] = adopted(known, limits.limits.nameOf(i), limits.algorithm(i), now);
            }
            key.set(limits, states, List.copyOf(known.subList(Math.max(0, known.size() - MAX_DORMANT), known.size())));
            first = states[0];
            states[0] = key;
        } finally {
            key.take(first, now);
        }
    }

    private static LimitState adopted(List<DormantLimit> known, String name, Algorithm algorithm, long now) {
        for (DormantLimit one : known) {
            if (one.name().equals(name) && algorithm.adopt(one.state(), one.algorithm(), now)) {
                known.remove(one);
                return one.state();
            }
        }
        return LimitState.create(now);
    }
}
