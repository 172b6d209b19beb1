package com.google.common.util.concurrent;

import com.google.common.util.concurrent.RateLimiter.SleepingStopwatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.NullMarked;

/** Creates Guava's limiter on a clock of the caller. Guava itself offers that only to its own package, for its tests. */
@NullMarked
public final class ClockedRateLimiter {
    private ClockedRateLimiter() {}

    /** Creates a limiter as {@link RateLimiter#create(double)} does. It never sleeps. */
    public static RateLimiter create(double permitsPerSecond, LongSupplier nanoTime) {
        long start = nanoTime.getAsLong();
        return RateLimiter.create(permitsPerSecond, new SleepingStopwatch() {
            @Override
            protected long readMicros() {
                return TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - start);
            }

            @Override
            protected void sleepMicrosUninterruptibly(long micros) {
                if (micros > 0) {
                    throw new IllegalStateException("a request that does not wait must not sleep");
                }
            }
        });
    }
}
