package dev.weir.benchmarks.scenario;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What no limiter does without: a clock to read, and one write that other threads may compete for. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Floors {

    /** A number of this thread's own. */
    @State(Scope.Thread)
    public static class Own {
        final AtomicLong number = new AtomicLong();
    }

    /** The clock. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }

    /** The clock, and a compare-and-set that nobody disturbs. */
    @Benchmark
    public boolean nanoTimeAndCas(Own own) {
        return own.number.compareAndSet(own.number.getPlain(), System.nanoTime());
    }
}
