package dev.weir.store;

import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.LimitState;

/** A limit under which a key was used before. Kept until it is idle. */
record DormantLimit(String name, Algorithm algorithm, LimitState state) {

    boolean isIdle(long now) {
        return algorithm.isIdle(state, now);
    }

    DormantLimit copy() {
        return new DormantLimit(name, algorithm, LimitState.copyOf(state));
    }
}
