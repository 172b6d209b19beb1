package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** More keys than fit in the processor's cache, so that most decisions read main memory. Every request is allowed. */
public class ManyKeys {
    private static final long PERMITS = 10_000;
    private static final long WINDOW_NANOS_PER_KEY = 2_000;

    /**
     * A limiter in its steady state: the window is long enough for several requests for each key, and has passed, so that as many
     * permits expire as are granted, and no log grows while it is measured.
     */
    @State(Scope.Benchmark)
    public static class Steady {
        /** The limiter. */
        @Param
        public Contestant limiter;

        Limiter limiting;

        /** Creates the limiter, requests all keys round robin for two windows, and collects garbage, so that objects no longer move. */
        @Setup
        public void fill(Keys keys) {
            Duration window = Duration.ofNanos(WINDOW_NANOS_PER_KEY * keys.keys);
            limiting = limiter.make(Limits.of(Limit.slidingLog(PERMITS, window)));
            long began = System.nanoTime();
            for (int i = 0; i < keys.keys || System.nanoTime() - began < 2 * window.toNanos(); i++) {
                limiting.tryAcquire(Keys.name(i % keys.keys));
            }
            System.gc();
        }
    }

    /** A decision. */
    @Benchmark
    public Decision decide(Steady state, Keys.Cursor cursor, Outcomes outcomes) {
        return outcomes.count(state.limiting.tryAcquire(cursor.next()));
    }
}
