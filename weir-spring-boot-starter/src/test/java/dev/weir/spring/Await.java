package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what happens on other threads. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Await() {}

    /** Returns when the condition is true; fails if it does not become true within 30 s. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(10);
        }
    }
}
