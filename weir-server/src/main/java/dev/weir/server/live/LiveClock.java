package dev.weir.server.live;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time of the figures, which never goes backwards: that of the system's clock at the start, advanced by the timer of the JVM. The
 * timer stops while the machine sleeps, so this clock follows the system's, by whole seconds, if that is ahead. Thread-safe.
 */
final class LiveClock {
    static final long SECOND_MILLIS = 1_000;

    private final LongSupplier systemMillis;
    private final LongSupplier timerNanos;
    private final long timerStart;
    private long startMillis; // guarded by this; later by the time that the timer missed

    /**
     * Creates a clock.
     *
     * @param systemMillis the system's clock, in milliseconds since the epoch
     * @param timerNanos the timer, in nanoseconds
     */
    LiveClock(LongSupplier systemMillis, LongSupplier timerNanos) {
        this.systemMillis = systemMillis;
        this.timerNanos = timerNanos;
        this.timerStart = timerNanos.getAsLong();
        this.startMillis = systemMillis.getAsLong();
    }

    /** Returns the milliseconds since the epoch. */
    synchronized long millis() {
        long elapsed = TimeUnit.NANOSECONDS.toMillis(timerNanos.getAsLong() - timerStart);
        long behind = systemMillis.getAsLong() - (startMillis + elapsed);
        startMillis += Math.max(0, behind / SECOND_MILLIS * SECOND_MILLIS);
        return startMillis + elapsed;
    }

    long millisToNextSecond() {
        return SECOND_MILLIS - millis() % SECOND_MILLIS;
    }
}
