package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;

/** Captures the uncaught exceptions that a test provokes in other threads. The JVM prints all others as usual. */
public final class UncaughtExceptions implements AutoCloseable {
    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final AtomicInteger captured = new AtomicInteger();

    /** Captures exceptions with the given message from now on. */
    public UncaughtExceptions(String message) {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (message.equals(thrown.getMessage())) {
                captured.incrementAndGet();
            } else if (before != null) {
                before.uncaughtException(thread, thrown);
            } else {
                thrown.printStackTrace();
            }
        });
    }

    /** Fails if no exception was captured. */
    public void assertCaptured() {
        assertThat(captured.get()).isPositive();
    }

    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }
}
