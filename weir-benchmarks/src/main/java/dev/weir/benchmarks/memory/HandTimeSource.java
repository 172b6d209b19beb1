package dev.weir.benchmarks.memory;

import dev.weir.TimeSource;

/** A time source that stands still until it is set. For one thread. */
final class HandTimeSource implements TimeSource {
    /** 2026-01-01T00:00:00Z. */
    private static final long START = 1_767_225_600_000_000_000L;

    private long now = START;

    /** Sets the time to the given number of nanoseconds after the start. */
    void put(long nanosAfterStart) {
        now = START + nanosAfterStart;
    }

    @Override
    public long nanos() {
        return now;
    }
}
