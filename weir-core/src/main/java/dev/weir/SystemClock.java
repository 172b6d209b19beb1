package dev.weir;

import java.time.Instant;

/** The wall clock's time at start, carried on by {@link System#nanoTime}. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    private final long offset;

    private SystemClock() {
        Instant start = Instant.now();
        offset = start.getEpochSecond() * 1_000_000_000L + start.getNano() - System.nanoTime();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + offset;
    }
}
