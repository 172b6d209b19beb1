package dev.weir.testkit;

import java.util.Arrays;

/**
 * The most weight that any one key had admitted in any window {@code (t - length, t]}, found as the events go by. Knows
 * nothing of limiters. Memory: 16 bytes for each event that lies in its key's present window. Not thread-safe.
 */
public final class WorstWindow {
    private final long length;
    private Window[] windows = new Window[16];
    private long worst;

    /** A checker for windows of so many nanoseconds, at least 1. */
    public WorstWindow(long lengthNanos) {
        if (lengthNanos < 1) {
            throw new IllegalArgumentException("length must be at least 1 nanosecond, was " + lengthNanos);
        }
        length = lengthNanos;
    }

    /** An admitted event of a key, a small number of 0 or more; the times of one key do not go back. */
    public void admitted(int key, long timeNanos, long permits) {
        if (key >= windows.length) {
            windows = Arrays.copyOf(windows, Math.max(key + 1, 2 * windows.length));
        }
        if (windows[key] == null) {
            windows[key] = new Window();
        }
        worst = Math.max(worst, windows[key].slideTo(timeNanos, permits, length));
    }

    /** The most weight in any window so far; {@link Long#MAX_VALUE} if it is more than that. */
    public long worst() {
        return worst;
    }

    /** The events of one key in the window that ends now, oldest first, as a ring of pairs. */
    private static final class Window {
        private long[] ring = new long[2];
        private int oldest;
        private int count;
        private long newest;
        private long sum;

        long slideTo(long time, long permits, long length) {
            if (count > 0 && time < newest) {
                throw new IllegalArgumentException("time went back from " + newest + " to " + time);
            }
            newest = time;
            while (count > 0
                    && (time - ring[slot(0)] >= length || time - ring[slot(0)] < 0)) { // below 0: 292 years and more
                sum -= ring[slot(0) + 1];
                oldest = slot(1) / 2;
                count--;
            }
            if (count > 0 && ring[slot(count - 1)] == time) {
                ring[slot(count - 1) + 1] += permits;
            } else {
                append(time, permits);
            }
            sum += permits;
            return sum < 0 ? Long.MAX_VALUE : sum;
        }

        private void append(long time, long permits) {
            if (2 * count == ring.length) {
                long[] larger = new long[2 * ring.length];
                for (int i = 0; i < count; i++) {
                    larger[2 * i] = ring[slot(i)];
                    larger[2 * i + 1] = ring[slot(i) + 1];
                }
                ring = larger;
                oldest = 0;
            }
            ring[slot(count)] = time;
            ring[slot(count) + 1] = permits;
            count++;
        }

        private int slot(int i) {
            return 2 * ((oldest + i) % (ring.length / 2));
        }
    }
}
