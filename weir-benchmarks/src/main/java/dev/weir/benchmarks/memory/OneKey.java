package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** All threads request the same key, which is looked up each time by an equal string that is not the stored one. */
public class OneKey {

    /** A limiter whose limits are given as text, separated by commas, and have admitted one request. */
    @State(Scope.Benchmark)
    public static class Fixed {
        /** The limiter. */
        @Param
        public Contestant limiter;

        /** The limits. */
        @Param("1000000000/1s")
        public String limits;

        Limiter limiting;
        final String key = Keys.name(1);

        /** Creates the limiter, and its key's state. */
        @Setup
        public void create() {
            limiting = limiter.make(Limits.parse(limits.split(",")));
            limiting.tryAcquire(Keys.name(1));
        }
    }

    /**
     * A limiter that admits half of the requests: its limit per millisecond is half of the requests per millisecond of the previous
     * iteration. So each contestant reaches its limit at its own speed. Guava cannot enforce a limit above a million per second,
     * gets that one, and denies more.
     */
    @State(Scope.Benchmark)
    public static class HalfSpeed {
        private static final Duration WINDOW = Duration.ofMillis(1);
        private static final long FIRST_GUESS = 5_000;

        /** The limiter. */
        @Param
        public Contestant limiter;

        Limiter limiting;
        final String key = Keys.name(1);
        private final LongAdder calls = new LongAdder();
        private long began;

        /** Creates a limiter with the limit that fits the speed. */
        @Setup(Level.Iteration)
        public void adapt() {
            long requests = calls.sumThenReset();
            long windows = Math.max(1, (System.nanoTime() - began) / WINDOW.toNanos());
            long half = requests == 0 ? FIRST_GUESS : Math.max(1, requests / windows / 2);
            long permits = Math.min(half, limiter.mostPermits(WINDOW.toNanos()));
            limiting = limiter.make(Limits.of(Limit.slidingLog(permits, WINDOW)));
            limiting.tryAcquire(Keys.name(1));
            began = System.nanoTime();
        }
    }

    /** The requests of one thread; JMH lets only the benchmark read {@link Outcomes}. */
    @State(Scope.Thread)
    public static class Requests {
        long count;

        /** Adds the requests of this thread in this iteration. */
        @TearDown(Level.Iteration)
        public void add(HalfSpeed speed) {
            speed.calls.add(count);
            count = 0;
        }
    }

    /** The same outcome for every request. */
    @Benchmark
    public Decision decide(Fixed state, Outcomes outcomes) {
        return outcomes.count(state.limiting.tryAcquire(state.key));
    }

    /** The same, and each call is timed. */
    @Benchmark
    public Decision decideTimed(Fixed state, Outcomes outcomes, CallTimes.OfThread times) {
        long start = System.nanoTime();
        Decision decision = state.limiting.tryAcquire(state.key);
        times.addSince(start);
        return outcomes.count(decision);
    }

    /** The caller needs only whether it is allowed: the peers return just that, and the compiler may omit a decision. */
    @Benchmark
    public boolean allowedOnly(Fixed state, Outcomes outcomes) {
        return outcomes.count(state.limiting.isAllowed(state.key));
    }

    /** About half of the requests are admitted. */
    @Benchmark
    public Decision atLimit(HalfSpeed state, Outcomes outcomes, Requests requests) {
        requests.count++;
        return outcomes.count(state.limiting.tryAcquire(state.key));
    }
}
