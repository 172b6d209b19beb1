package dev.weir.replay.offender.west;

import dev.weir.replay.offender.east.East;

/** Breaks a rule together with {@link East}: they need each other. */
public final class West {
    private West() {}

    /** Goes east. */
    public static Class<?> next() {
        return East.class;
    }
}
