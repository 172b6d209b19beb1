package dev.weir.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what is bound to come, and fails with its name if it does not. */
final class Await {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = 2_000_000;

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE, condition, () -> "");
    }

    /** Waits at most that long; answers how long it took. */
    static Duration until(String what, Duration patience, BooleanSupplier condition) {
        return until(what, patience, condition, () -> "");
    }

    static Duration until(String what, Duration patience, BooleanSupplier condition, Supplier<String> state) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new AssertionError("not within " + patience + ": " + what + state.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
