package dev.failsafe.internal;

import dev.failsafe.RateLimiter;
import dev.failsafe.RateLimiterConfig;
import java.util.function.LongSupplier;
import org.jspecify.annotations.NullMarked;

/** Creates Failsafe's limiter on a clock of the caller. Failsafe itself offers that only to its own package, for its tests. */
@NullMarked
public final class ClockedRateLimiter {
    private ClockedRateLimiter() {}

    /** Creates a limiter as {@code RateLimiterBuilder.build()} does. */
    public static RateLimiter<Object> create(RateLimiterConfig<Object> config, LongSupplier nanoTime) {
        return new RateLimiterImpl<>(config, new RateLimiterStats.Stopwatch() {
            private long start = nanoTime.getAsLong();

            @Override
            long elapsedNanos() {
                return nanoTime.getAsLong() - start;
            }

            @Override
            void reset() {
                start = nanoTime.getAsLong();
            }
        });
    }
}
