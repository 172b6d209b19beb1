package dev.weir.benchmarks.scenario;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.limiter.Limiter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** All threads ask for the same key, which is looked up each time by an equal string that is not the stored one. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OneKey {

    /** A limiter whose limits are given as text, with commas between them, and never reached. */
    @State(Scope.Benchmark)
    public static class Below {
        /** Whose limiter. */
        @Param
        public Contestant limiter;

        /** A permit a nanosecond or more: no clock can be read so often. */
        @Param("1000000000/1s")
        public String limits;

        Limiter limiting;
        String key;

        /** Makes the limiter, and its key's state. */
        @Setup
        public void make() {
            limiting = limiter.make(Limits.parse(limits.split(",")));
            limiting.tryAcquire(Keys.name(1));
            key = Keys.name(1);
        }
    }

    /** A limiter whose only permit of the day is used up. */
    @State(Scope.Benchmark)
    public static class UsedUp {
        /** Whose limiter. */
        @Param
        public Contestant limiter;

        Limiter limiting;
        String key;

        /** Makes the limiter and uses it up. */
        @Setup
        public void make() {
            limiting = limiter.make(Limits.parse("1/1d"));
            limiting.tryAcquire(Keys.name(1));
            key = Keys.name(1);
        }
    }

    /** Every request passes. */
    @Benchmark
    public Decision below(Below state, Outcomes outcomes) {
        return outcomes.count(state.limiting.tryAcquire(state.key));
    }

    /** Every request passes, and the decision does not leave the caller: the compiler may do without the object. */
    @Benchmark
    public boolean notEscaping(Below state, Outcomes outcomes) {
        return outcomes.count(state.limiting.tryAcquire(state.key).allowed());
    }

    /** About half of the requests pass. */
    @Benchmark
    public Decision atLimit(HalfSpeed state, Outcomes outcomes, HalfSpeed.Asked asked) {
        asked.calls++;
        return outcomes.count(state.limiting.tryAcquire(state.key));
    }

    /** No request passes. */
    @Benchmark
    public Decision denied(UsedUp state, Outcomes outcomes) {
        return outcomes.count(state.limiting.tryAcquire(state.key));
    }
}
