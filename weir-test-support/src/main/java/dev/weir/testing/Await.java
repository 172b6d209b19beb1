package dev.weir.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for conditions, and fails with the name of a condition that does not hold in time. */
public final class Await {
    /** Long enough that only a hang fails a test, even on a busy machine. */
    public static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final long PAUSE_NANOS = 2_000_000;

    private Await() {}

    /** A condition; one that throws fails the test. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void until(Condition condition) {
        until("the condition holds", condition);
    }

    public static void until(String what, Condition condition) {
        until(what, TIMEOUT, condition);
    }

    /** Waits; a failure reports the given state. */
    public static void until(String what, Condition condition, Supplier<String> state) {
        until(what, TIMEOUT, condition, state);
    }

    /** Waits at most for the given duration. */
    public static void until(String what, Duration timeout, Condition condition) {
        until(what, timeout, condition, () -> "");
    }

    private static void until(String what, Duration timeout, Condition condition, Supplier<String> state) {
        long start = System.nanoTime();
        while (!holds(what, condition)) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new AssertionError("not within " + timeout + ": " + what + state.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean holds(String what, Condition condition) {
        try {
            return condition.holds();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new AssertionError(what, failure);
        }
    }
}
