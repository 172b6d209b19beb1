package dev.weir.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for conditions, and fails with the name of a condition that does not hold in time. */
public final class Await {
    /** Long enough that only a hang fails a test, even on a busy machine. */
    public static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** The pause between two checks: a part of the time waited so far, because a check takes processor time from what it waits for. */
    private static final int PAUSE_DIVISOR = 8;

    private static final long SHORTEST_PAUSE_NANOS = 2_000_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

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
            long waited = System.nanoTime() - start;
            if (waited > timeout.toNanos()) {
                throw new AssertionError("not within " + timeout + ": " + what + state.get());
            }
            LockSupport.parkNanos(
                    Math.max(SHORTEST_PAUSE_NANOS, Math.min(waited / PAUSE_DIVISOR, LONGEST_PAUSE_NANOS)));
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
