package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** So many keys that most of what a decision looks at is not in the processor's cache. Every request passes. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ManyKeys {
    private static final int TIMES_SEEN = 3;

    /** A limiter that has seen every key a few times, so that no log has to grow while it is measured. */
    @State(Scope.Benchmark)
    public static class Seen {
        /** The limiter. */
        @Param
        public Contestant limiter;

        /** More than the requests for one key while a fork runs. */
        @Param("10000/1m")
        public String limits;

        Limiter limiting;

        /** Creates the limiter, requests all keys in turn, and collects garbage, so that objects are at their final addresses. */
        @Setup
        public void fill(Keys keys) {
            limiting = limiter.make(Limits.parse(limits));
            for (int i = 0; i < TIMES_SEEN * keys.keys; i++) {
                limiting.tryAcquire(Keys.name(i % keys.keys));
            }
            System.gc();
        }
    }

    /** A map with the same keys and a small object for each. */
    @State(Scope.Benchmark)
    public static class Mapped {
        final ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();

        /** Fills the map. */
        @Setup
        public void fill(Keys keys) {
            for (int i = 0; i < keys.keys; i++) {
                map.put(Keys.name(i), new Object());
            }
            System.gc();
        }
    }

    /** A decision. */
    @Benchmark
    public Decision decide(Seen state, Keys keys, Keys.Cursor cursor, Outcomes outcomes) {
        return outcomes.count(state.limiting.tryAcquire(cursor.next(keys)));
    }

    /** The floor: the look-up and the clock that no limiter does without. */
    @Benchmark
    public long mapGetAndClock(Mapped state, Keys keys, Keys.Cursor cursor, Blackhole blackhole) {
        blackhole.consume(state.map.get(cursor.next(keys)));
        return System.nanoTime();
    }
}
