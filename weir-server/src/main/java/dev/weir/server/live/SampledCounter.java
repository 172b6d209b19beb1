package dev.weir.server.live;

import java.util.concurrent.atomic.LongAdder;

/** A counter that is read at the end of each second. Any thread counts; what was read belongs to the thread that samples. */
final class SampledCounter {
    private final LongAdder adder = new LongAdder();
    private long total;
    private long latest;

    void increment() {
        adder.increment();
    }

    /** Returns the count now. Thread-safe. */
    long sum() {
        return adder.sum();
    }

    /** Reads the count at the end of a second. */
    void sample() {
        long sum = adder.sum();
        latest = sum - total;
        total = sum;
    }

    /** Returns the count at the end of the latest second. */
    long total() {
        return total;
    }

    /** Returns what was counted in the latest second. */
    long latest() {
        return latest;
    }
}
