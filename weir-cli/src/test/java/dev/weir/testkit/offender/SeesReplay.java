package dev.weir.testkit.offender;

import dev.weir.replay.format.LogOptions;

/** Breaks two rules: the testkit uses the core only, and classes are final. */
public class SeesReplay {
    private SeesReplay() {}

    /** A class of another module. */
    public static Object options() {
        return LogOptions.DEFAULT;
    }
}
