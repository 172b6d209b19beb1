package dev.weir;

import java.time.Instant;

/** The wall-clock time at class initialization, continued by {@link System#nanoTime}. */
final class SystemTimeSource implements TimeSource {
    static final SystemTimeSource INSTANCE = new SystemTimeSource();

    private final long offset;

    private SystemTimeSource() {
        Instant start = Instant.now();
        offset = start.getEpochSecond() * 1_000_000_000L + start.getNano() - System.nanoTime();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + offset;
    }

    @Override
    public String toString() {
        return "TimeSource.system()";
    }
}
