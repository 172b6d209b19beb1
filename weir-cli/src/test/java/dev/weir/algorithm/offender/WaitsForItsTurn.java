package dev.weir.algorithm.offender;

import java.util.concurrent.TimeUnit;

/** Breaks two rules: algorithms do not use threads, and no class sleeps. */
public final class WaitsForItsTurn {
    private WaitsForItsTurn() {}

    /** Waits, which it must not. */
    public static void await() throws InterruptedException {
        Thread.sleep(TimeUnit.SECONDS.toMillis(1));
    }
}
