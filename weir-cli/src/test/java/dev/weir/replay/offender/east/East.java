package dev.weir.replay.offender.east;

import dev.weir.replay.offender.west.West;

/** Breaks a rule together with {@link West}: they need each other. */
public final class East {
    private East() {}

    /** Goes west. */
    public static Class<?> next() {
        return West.class;
    }
}
