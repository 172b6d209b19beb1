package dev.weir.benchmarks.scenario;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.limiter.Limiter;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A limiter that lets through half of what is asked of it: its limit a millisecond is half of what was asked in one of
 * the iteration before. So each contestant meets its limit at its own speed. Guava cannot hold a limit above a million a
 * second, gets that one, and denies more.
 */
@State(Scope.Benchmark)
public class HalfSpeed {
    private static final Duration WINDOW = Duration.ofMillis(1);
    private static final long FIRST_GUESS = 5_000;

    /** Whose limiter. */
    @Param
    public Contestant limiter;

    Limiter limiting;
    final String key = Keys.name(1);

    private final LongAdder calls = new LongAdder();
    private long began;

    /** Makes a limiter with the limit that fits the speed seen. */
    @Setup(Level.Iteration)
    public void adapt() {
        long asked = calls.sumThenReset();
        long windows = Math.max(1, (System.nanoTime() - began) / WINDOW.toNanos());
        long half = asked == 0 ? FIRST_GUESS : Math.max(1, asked / windows / 2);
        long permits = Math.min(half, limiter.mostPermits(WINDOW.toNanos()));
        limiting = limiter.make(Limits.of(Limit.slidingLog(permits, WINDOW)));
        limiting.tryAcquire(Keys.name(1));
        began = System.nanoTime();
    }

    /** How much one thread has asked; JMH allows nobody but the benchmark to look at {@link Outcomes}. */
    @State(Scope.Thread)
    public static class Asked {
        long calls;

        /** Adds what this thread asked in this iteration. */
        @TearDown(Level.Iteration)
        public void tell(HalfSpeed speed) {
            speed.calls.add(calls);
            calls = 0;
        }
    }
}
