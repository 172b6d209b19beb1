package dev.weir.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what is bound to come, and fails with its name if it does not. */
final class Await {
    /** Long enough that only a hang fails a test, even on a busy machine. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long PAUSE_NANOS = 2_000_000;

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE, condition);
    }

    /** Waits; a failure reports the given state. */
    static void until(String what, BooleanSupplier condition, Supplier<String> state) {
        until(what, PATIENCE, condition, state);
    }

    /** Waits at most for the given duration. */
    static void until(String what, Duration patience, BooleanSupplier condition) {
        until(what, patience, condition, () -> "");
    }

    private static void until(String what, Duration patience, BooleanSupplier condition, Supplier<String> state) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new AssertionError("not within " + patience + ": " + what + state.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
