package dev.weir.store;

import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;

/** Limits and the algorithms that keep them, in their order. Immutable; one object serves all keys under these limits. */
final class Rules {
    final Limits limits;
    final Algorithm first;
    final Algorithm[] all; // never changed

    Rules(Limits limits) {
        this.limits = limits;
        this.all = limits.list().stream().map(Algorithm::of).toArray(Algorithm[]::new);
        this.first = all[0];
    }

    int size() {
        return all.length;
    }
}
