package dev.weir.server.live;

import dev.weir.Limit;

/** The denials of a key in the latest window of a limit, by time, in at most 150 bins. 0.7 KB. Not thread-safe. */
public final class DenialTimes {
    private static final int MAX_BINS = 150;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long binNanos;
    private final Ring bins;

    DenialTimes(Limit limit) {
        long millis = binMillis(limit);
        binNanos = Math.max(1, Math.min(millis, Long.MAX_VALUE / NANOS_PER_MILLI) * NANOS_PER_MILLI);
        bins = new Ring((int) ((windowMillis(limit) + millis - 1) / millis));
    }

    /** Returns the window of a limit in milliseconds, at least one. */
    public static long windowMillis(Limit limit) {
        return Math.max(1, limit.windowNanos() / NANOS_PER_MILLI);
    }

    /** Returns the length of the bins of a limit in milliseconds, at least one. */
    public static long binMillis(Limit limit) {
        return (windowMillis(limit) + MAX_BINS - 1) / MAX_BINS;
    }

    /** Counts a denial. One that is reported late counts for the latest bin. */
    void add(long nanos) {
        bins.add(Math.floorDiv(nanos, binNanos), 1);
    }

    /** Returns the denials of each bin, oldest first; the last bin is the present one. */
    long[] upTo(long nanos) {
        return bins.sums(Math.floorDiv(nanos, binNanos), 1);
    }
}
