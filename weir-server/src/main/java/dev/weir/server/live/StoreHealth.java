package dev.weir.server.live;

import dev.weir.LimiterListener;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** How the store does: how long requests wait for it, how often it failed, and since when it is away. Thread-safe. */
public final class StoreHealth implements StoreListener, LimiterListener {
    private static final long NEVER = Long.MIN_VALUE;
    private static final long MOST_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final double P99 = 99;
    private static final int MOST_REASON_CHARS = 300;

    private final @Nullable Recorder latencies;
    private final SampledCounter failures = new SampledCounter();
    private final SampledCounter localDecisions = new SampledCounter();
    private volatile long downSinceNanos = NEVER;
    private volatile @Nullable String reason; // of the latest failure
    private @Nullable Histogram latest; // only the thread that samples

    /**
     * Creates figures.
     *
     * @param remote whether requests wait for the store
     */
    public StoreHealth(boolean remote) {
        latencies = remote ? new Recorder(1, MOST_MICROS, 2) : null;
    }

    /** {@return when a decision begins, for {@link #decided(long, boolean)}; 0 if the store is in this process} */
    public long begin() {
        return latencies == null ? 0 : System.nanoTime();
    }

    /**
     * Counts a decision.
     *
     * @param began what {@link #begin} returned
     * @param degraded whether it was made without the store
     */
    public void decided(long began, boolean degraded) {
        if (latencies != null) {
            long micros = (System.nanoTime() - began) / 1_000;
            latencies.recordValue(Math.max(1, Math.min(MOST_MICROS, micros)));
        }
        if (degraded) {
            localDecisions.increment();
        }
    }

    @Override
    public void storeFailed(String limiter, String key, StoreException failure) {
        reason = failure.getMessage(); // before it is counted
        failures.increment();
    }

    @Override
    public void storeDown(StoreException failure) {
        reason = failure.getMessage();
        downSinceNanos = System.nanoTime();
    }

    @Override
    public void storeUp() {
        downSinceNanos = NEVER;
    }

    /**
     * The figures of one second.
     *
     * @param p99Micros the time that 99 % of requests stayed below, or null if there were none
     * @param failures requests for which the store failed
     * @param localDecisions requests decided without the store
     * @param outageSeconds for how long the store has been away, 0 if it is not
     * @param reason why the store failed last; null if it did not fail and is not away
     */
    record Second(
            @Nullable Long p99Micros,
            long failures,
            long localDecisions,
            long outageSeconds,
            @Nullable String reason) {}

    /** Returns the figures since the last call. */
    Second sample() {
        Long p99 = null;
        if (latencies != null) {
            latest = latencies.getIntervalHistogram(latest);
            p99 = latest.getTotalCount() == 0 ? null : latest.getValueAtPercentile(P99);
        }
        failures.sample();
        localDecisions.sample();
        long outage = outageSeconds();
        String why = failures.latest() > 0 || outage > 0 ? shortened(reason) : null;
        return new Second(p99, failures.latest(), localDecisions.latest(), outage, why);
    }

    private static @Nullable String shortened(@Nullable String text) {
        return text == null || text.length() <= MOST_REASON_CHARS ? text : text.substring(0, MOST_REASON_CHARS) + "…";
    }

    private long outageSeconds() {
        long since = downSinceNanos;
        return since == NEVER ? 0 : 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
    }
}
