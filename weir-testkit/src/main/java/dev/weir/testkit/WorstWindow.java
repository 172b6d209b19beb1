package dev.weir.testkit;

import java.util.Arrays;

/**
 * The most permits that any one key was granted in any window {@code (t - length, t]}, computed from a stream of events.
 * Independent of the limiters. Memory: 16 bytes for each event in its key's current window. Not thread-safe.
 */
public final class WorstWindow {
    private final long length;
    private Window[] windows = new Window[16];
    private long worst;

    /**
     * Creates a checker.
     *
     * @param lengthNanos the length of the windows in nanoseconds, at least 1
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
     * @param permits the number of permits
     */
    public void granted(int key, long timeNanos, long permits) {
        if (key >= windows.length) {
            windows = Arrays.copyOf(windows, Math.max(key + 1, 2 * windows.length));
        }
        if (windows[key] == null) {
            windows[key] = new Window();
        }
        worst = Math.max(worst, windows[key].slideTo(timeNanos, permits, length));
    }

    /** {@return the most permits in any window so far; {@link Long#MAX_VALUE} if it is more than that} */
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
                throw new IllegalArgumentException("time must not decrease, went from " + newest + " to " + time);
            }
            newest = time;
            while (count > 0
                    && (time - ring[slot(0)] >= length || time - ring[slot(0)] < 0)) { // negative: 292 years or more
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
