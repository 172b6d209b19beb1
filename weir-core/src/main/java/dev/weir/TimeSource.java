package dev.weir;

import dev.weir.internal.JdkTimer;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/**
 * A source of time. Its readings must not decrease; if they do, the store's time stands still until they exceed the latest
 * reading, so nothing is granted early. A forward step cannot be distinguished from the passing of time: it grants at most
 * one limit's worth of permits early. All readings must be less than 292 years apart.
 *
 * <p>Read for each decision, from any thread and without a lock held; implementations must be thread-safe and fast.
 */
@FunctionalInterface
public interface TimeSource {

    /**
     * {@return the time, in nanoseconds (not milliseconds) since an origin of the source's choice, for the system source the Unix
     * epoch}
     */
    long nanos();

    /**
     * {@return a future that completes once the given time has passed on this source} Cancelling it releases its timer. By
     * default, real time is waited for.
     *
     * @param nanos the number of nanoseconds to wait; zero or less for no wait
     */
    default CompletableFuture<Void> after(long nanos) {
        return new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
    }

    /** {@return the executor on which limiters complete waits that are over, unless given another one; by default the common pool} */
    default Executor executor() {
        return ForkJoinPool.commonPool();
    }

    /**
     * {@return the default source: the JVM's monotonic time, anchored once at the Unix epoch} Changes of the wall clock do not
     * affect it.
     */
    static TimeSource system() {
        enum SystemTime implements TimeSource {
            INSTANCE;

            private final long offset;

            SystemTime() {
                Instant start = Instant.now();
                offset = start.getEpochSecond() * 1_000_000_000L + start.getNano() - System.nanoTime();
                JdkTimer.start(); // which nearly all stores need
            }

            @Override
            public long nanos() {
                return System.nanoTime() + offset;
            }

            @Override
            public String toString() {
                return "TimeSource.system()";
            }
        }
        return SystemTime.INSTANCE;
    }
}
