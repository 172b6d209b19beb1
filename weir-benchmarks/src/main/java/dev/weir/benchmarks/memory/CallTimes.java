package dev.weir.benchmarks.memory;

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.util.SampleBuffer;

/**
 * Reports the times of all calls to JMH. JMH's own {@code SampleTime} measures at most 20 calls in a millisecond, so it misses most of
 * the slow ones; and when it halves its counts, it keeps those of one call, so those that it sees weigh too much.
 */
public final class CallTimes implements InternalProfiler {
    /** The name of the result. */
    static final String RESULT = "calls";

    private static final Queue<SampleBuffer> ENDED = new ConcurrentLinkedQueue<>();

    /** The times of one thread in one iteration. */
    @State(Scope.Thread)
    public static class OfThread {
        private SampleBuffer nanos = new SampleBuffer();

        /** Begins an iteration. */
        @Setup(Level.Iteration)
        public void begin() {
            nanos = new SampleBuffer();
        }

        /** Adds the time of a call that ends now. */
        void addSince(long startNanos) {
            nanos.add(System.nanoTime() - startNanos);
        }

        /** Ends an iteration. */
        @TearDown(Level.Iteration)
        public void end() {
            ENDED.add(nanos);
        }
    }

    @Override
    public String getDescription() {
        return "The times of all calls";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        ENDED.clear(); // those of the warm-up
    }

    @Override
    public Collection<SampleTimeResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        SampleBuffer all = new SampleBuffer();
        ENDED.forEach(all::addAll);
        return List.of(new SampleTimeResult(ResultRole.SECONDARY, RESULT, all, TimeUnit.NANOSECONDS));
    }
}
