package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What no limiter does without: a clock to read, one write that other threads may compete for, a look-up and an answer. */
public class Floors {

    /** A limit and a number to write. */
    private static final class Counter extends AtomicLong {
        private static final long serialVersionUID = 1;

        private final transient Limit limit;

        Counter(Limit limit) {
            this.limit = limit;
        }
    }

    /** A map with one key, which is looked up by an equal string that is not the stored one. */
    @State(Scope.Benchmark)
    public static class Mapped {
        private final ConcurrentHashMap<String, Counter> map = new ConcurrentHashMap<>();
        private final String key = Keys.name(1);

        /** Fills the map. */
        @Setup
        public void fill() {
            map.put(Keys.name(1), new Counter(Limit.parse("1/1s")));
        }

        Counter counter() {
            return Objects.requireNonNull(map.get(key));
        }
    }

    /** The clock, a look-up, and a new decision with what they gave; nothing is decided, and nothing written that stays. */
    @Benchmark
    public Decision lookUpAndDecision(Mapped state) {
        long now = System.nanoTime();
        return Decision.allowed(state.counter().limit, 0, 0, 0, now);
    }

    /** The same, and a compare-and-set of a number of the key. */
    @Benchmark
    public Decision lookUpCasAndDecision(Mapped state) {
        long now = System.nanoTime();
        Counter counter = state.counter();
        long before = counter.get();
        return Decision.allowed(counter.limit, counter.compareAndSet(before, before + 1) ? 1 : 0, 0, 0, now);
    }
}
