package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
public final class Await {
    private Await() {}

    /** Waits until the condition holds; fails after 30 s. */
    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).isNegative();
            try {
                Thread.sleep(5);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }
}
