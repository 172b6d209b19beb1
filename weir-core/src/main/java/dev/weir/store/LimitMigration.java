package dev.weir.store;

import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.LimitState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change of a key's limits. A limit continues with the state of the one that had its name, if that is of the same algorithm.
 * States that no limit continues are kept while they are not idle, because other versions of an application may still use them.
 */
final class LimitMigration {
    private static final int MAX_DORMANT = 64;

    private final KeyState key;
    private final long now;
    private final List<DormantLimit> known; // under which the key was used, and which are not idle, oldest first

    /** The caller holds the lock of the key's state. */
    private LimitMigration(KeyState key, long now) {
        this.key = key;
        this.now = now;
        this.known = key.known();
        known.removeIf(one -> one.isIdle(now));
    }

    /** Prepares a key's state for a request: sets the time, and continues under the request's limits. */
    static void prepare(KeyState key, CompiledLimits limits, long now) {
        key.start(now);
        if (!key.isUnder(limits.limits)) {
            new LimitMigration(key, now).to(limits);
        }
    }

    private void to(CompiledLimits limits) {
        @Nullable LimitState[] states = new LimitState[limits.size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = adopted(limits.limits.nameOf(i), limits.algorithm(i));
        }
        if (states[0] != key) {
            vacate(states);
            if (states[0] != null) {
                key.take(states[0], now);
            }
            states[0] = key;
        }
        for (int i = 0; i < states.length; i++) {
            states[i] = states[i] == null ? LimitState.create(now) : states[i];
        }
        key.set(limits, states, List.copyOf(known.subList(Math.max(0, known.size() - MAX_DORMANT), known.size())));
    }

    /**
     * Moves what the key's own state contains to another one, so that it can become that of the first limit: a key with one limit is one
     * object, whatever its limits were before.
     */
    private void vacate(@Nullable LimitState[] states) {
        LimitState moved = LimitState.create(now);
        moved.take(key, now);
        known.replaceAll(one -> one.state() == key ? new DormantLimit(one.name(), one.algorithm(), moved) : one);
        for (int i = 1; i < states.length; i++) {
            states[i] = states[i] == key ? moved : states[i];
        }
    }

    private @Nullable LimitState adopted(String name, Algorithm algorithm) {
        for (DormantLimit one : known) {
            if (one.name().equals(name) && algorithm.adopt(one.state(), one.algorithm(), now)) {
                known.remove(one);
                return one.state();
            }
        }
        return null;
    }
}
