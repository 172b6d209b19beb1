package dev.weir.replay.analysis;

/**
 * A span of time in buckets of one length.
 *
 * @param startNanos where the first bucket starts
 * @param bucketNanos the length of a bucket, at least 1
 * @param buckets the number of buckets, at least 1
 */
public record TimeAxis(long startNanos, long bucketNanos, int buckets) {
    private static final int MOST_BUCKETS = 120;
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long[] LENGTHS = {
        1_000_000,
        10_000_000,
        100_000_000,
        SECOND,
        5 * SECOND,
        15 * SECOND,
        30 * SECOND,
        MINUTE,
        5 * MINUTE,
        15 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        6 * HOUR,
        DAY,
        7 * DAY,
        30 * DAY,
        365 * DAY
    };

    /** Returns an axis from the bucket of one time to that of another, with the shortest of the usual lengths that gives few buckets. */
    static TimeAxis spanning(long firstNanos, long lastNanos) {
        for (long length : LENGTHS) {
            if (lastNanos / length - firstNanos / length < MOST_BUCKETS) {
                return between(firstNanos, lastNanos, length);
            }
        }
        return between(firstNanos, lastNanos, 2 * LENGTHS[LENGTHS.length - 1]);
    }

    /** Several days begin with the day of the first time, because their multiples are no boundaries of the calendar. */
    private static TimeAxis between(long firstNanos, long lastNanos, long length) {
        long boundaries = Math.min(length, DAY);
        long start = firstNanos / boundaries * boundaries;
        return new TimeAxis(start, length, (int) ((lastNanos - start) / length) + 1);
    }

    /** Returns whether a time is on the axis. */
    boolean contains(long timeNanos) {
        return timeNanos >= startNanos && (timeNanos - startNanos) / bucketNanos < buckets;
    }

    /** Returns the bucket of a time that is on the axis. */
    int bucket(long timeNanos) {
        return (int) ((timeNanos - startNanos) / bucketNanos);
    }

    /** Returns the length of all buckets, without what is after the last time that can be counted. */
    public long lengthNanos() {
        long most = Long.MAX_VALUE - startNanos;
        return buckets > most / bucketNanos ? most : bucketNanos * buckets;
    }

    /** Returns where a time is on the axis, from 0 at its start to 1 at its end. */
    public double position(long timeNanos) {
        return (double) (timeNanos - startNanos) / bucketNanos / buckets;
    }
}
