package dev.weir.testkit;

import java.util.Arrays;

/**
 * The most permits that any one key was granted in any window {@code (t - length, t]}, computed from a stream of events.
 * Independent of the limiters. Its methods throw {@link IllegalArgumentException} for a negative key, for permits below 1, and if
 * the times of a key decrease. Memory: 16 bytes for each event in its key's current window, and 4 to 8 bytes for each number up to the
 * largest key. Not thread-safe.
 */
public final class WorstWindow {
    private final long length;
    private Window[] windows = new Window[16];
    private long worst;
    private int worstKey = -1;
    private long worstEnd;

    /**
     * Creates a checker.
     *
     * @param lengthNanos the length of the windows in nanoseconds, at least 1
     * @throws IllegalArgumentException if the length is below 1
     */
    public WorstWindow(long lengthNanos) {
        if (lengthNanos < 1) {
            throw new IllegalArgumentException("length must be at least 1 nanosecond, was " + lengthNanos);
        }
        length = lengthNanos;
    }

    /**
     * Adds permits that were granted.
     *
     * @param key the key, a small number of 0 or more
     * @param timeNanos the time; the times of one key must not decrease
     * @param permits the number of permits, at least 1
     */
    public void granted(int key, long timeNanos, long permits) {
        granted(key, timeNanos, timeNanos, permits);
    }

    /**
     * Adds permits that were granted at an unknown instant between two times, such as those before and after a call to a server.
     * Permits count in a window only if they were certainly granted in it.
     *
     * @param key the key, a small number of 0 or more
     * @param earliestNanos the first instant at which they may have been granted; not before that of the key's previous grant
     * @param latestNanos the last instant; not before {@code earliestNanos}, nor before that of the key's previous grant
     * @param permits the number of permits, at least 1
     */
    public void granted(int key, long earliestNanos, long latestNanos, long permits) {
        if (key < 0 || permits < 1) {
            throw new IllegalArgumentException(
                    "key must be at least 0 and permits at least 1, were " + key + " and " + permits);
        }
        if (key >= windows.length) {
            windows = Arrays.copyOf(windows, Math.max(key + 1, 2 * windows.length));
        }
        Window window = windows[key];
        if (window == null) {
            window = new Window();
            windows[key] = window;
        }
        long sum = window.slideTo(earliestNanos, latestNanos, permits, length);
        if (sum > worst) {
            worst = sum;
            worstKey = key;
            worstEnd = latestNanos;
        }
    }

    /**
     * Returns the permits that a key was granted in the window that ends at an instant. Changes nothing. Time: linear in the number
     * of grants that expired since the last one.
     *
     * @param key the key, 0 or more
     * @param timeNanos the instant, not before the last grant of the key
     * @return the permits granted in {@code (timeNanos - length, timeNanos]}; {@link Long#MAX_VALUE} if they are more, but below 2^64
     */
    public long within(int key, long timeNanos) {
        if (key < 0) {
            throw new IllegalArgumentException("key must be at least 0, was " + key);
        }
        Window window = key < windows.length ? windows[key] : null;
        return window == null ? 0 : window.within(timeNanos, length);
    }

    /** {@return the most permits in any window so far; {@link Long#MAX_VALUE} if it is more than that} */
    public long worst() {
        return worst;
    }

    /** {@return the key of the window with the most permits, the first of them if there are several; -1 if nothing was granted} */
    public int worstKey() {
        return worstKey;
    }

    /** {@return the time of the last grant in the window with the most permits; 0 if nothing was granted} */
    public long worstEndNanos() {
        return worstEnd;
    }

    /** The grants of one key in the window that ends now, by their earliest times, oldest first, in a ring. */
    private static final class Window {
        private long[] times = new long[2]; // the lengths are powers of two
        private long[] permits = new long[2];
        private int oldest;
        private int count;
        private long newestEarliest;
        private long newest;
        private long sum;

        long slideTo(long earliest, long latest, long granted, long length) {
            if (latest < earliest) {
                throw new IllegalArgumentException(
                        "latest must not be before earliest, was " + latest + " and " + earliest);
            }
            checkOrder(newestEarliest, earliest);
            checkOrder(newest, latest);
            drop(expired(latest, length));
            if (count > 0 && newestEarliest == earliest) {
                permits[slot(count - 1)] += granted;
            } else {
                append(earliest, granted);
            }
            newestEarliest = earliest;
            newest = latest;
            sum += granted;
            return sum < 0 ? Long.MAX_VALUE : sum;
        }

        long within(long time, long length) {
            checkOrder(newest, time);
            long left = sum;
            int expired = expired(time, length);
            for (int i = 0; i < expired; i++) {
                left -= permits[slot(i)];
            }
            return left < 0 ? Long.MAX_VALUE : left;
        }

        private void checkOrder(long before, long time) {
            if (count > 0 && time < before) {
                throw new IllegalArgumentException("time must not decrease, went from " + before + " to " + time);
            }
        }

        /** Returns how many of the oldest entries have expired. */
        private int expired(long time, long length) {
            int expired = 0;
            while (expired < count) {
                long age = time - times[slot(expired)];
                if (age >= 0 && age < length) { // negative: 292 years or more
                    return expired;
                }
                expired++;
            }
            return expired;
        }

        private void drop(int expired) {
            for (int i = 0; i < expired; i++) {
                sum -= permits[oldest];
                oldest = slot(1);
                count--;
            }
        }

        private void append(long time, long granted) {
            if (count == times.length) {
                times = unrolled(times);
                permits = unrolled(permits);
                oldest = 0;
            }
            int slot = slot(count++);
            times[slot] = time;
            permits[slot] = granted;
        }

        /** Returns a ring of twice the length with the same entries from its start. */
        private long[] unrolled(long[] ring) {
            long[] larger = new long[2 * ring.length];
            System.arraycopy(ring, oldest, larger, 0, ring.length - oldest);
            System.arraycopy(ring, 0, larger, ring.length - oldest, oldest);
            return larger;
        }

        private int slot(int i) {
            return (oldest + i) & (times.length - 1);
        }
    }
}
