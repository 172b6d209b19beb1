package dev.weir.benchmarks.memory;

import dev.weir.Clock;

/** A clock that stands where it was put. For one thread. */
final class HandClock implements Clock {
    /** 2026-01-01T00:00:00Z. */
    private static final long START = 1_767_225_600_000_000_000L;

    private long now = START;

    /** Puts it to so many nanoseconds after its start. */
    void put(long nanosAfterStart) {
        now = START + nanosAfterStart;
    }

    @Override
    public long nanos() {
        return now;
    }
}
