package dev.weir.server.live;

import org.jspecify.annotations.Nullable;

/** A count for each of the last 300 seconds, in 1.2 KB once there is one. Not thread-safe. */
final class Ring {
    static final int SECONDS = 300;

    private int @Nullable [] counts;
    private long newest;

    /** Sets the count of a second, which is later than all before; seconds in between have none. */
    void set(long second, long count) {
        if (counts == null) {
            if (count == 0) {
                return;
            }
            counts = new int[SECONDS];
            newest = second - SECONDS;
        }
        for (long skipped = Math.max(newest + 1, second - SECONDS + 1); skipped < second; skipped++) {
            counts[index(skipped)] = 0;
        }
        counts[index(second)] = (int) Math.min(count, Integer.MAX_VALUE);
        newest = second;
    }

    private static int index(long second) {
        return (int) Math.floorMod(second, (long) SECONDS);
    }

    /** Returns the count of a second; 0 if it is not among the last 300. */
    int get(long second) {
        return counts == null || second > newest || second <= newest - SECONDS ? 0 : counts[index(second)];
    }

    /**
     * Returns sums of the last 300 seconds, oldest first.
     *
     * @param second the last one
     * @param width the seconds in one sum, a divisor of 300
     */
    long[] sums(long second, int width) {
        long[] sums = new long[SECONDS / width];
        for (int i = 0; i < SECONDS; i++) {
            sums[i / width] += get(second - SECONDS + 1 + i);
        }
        return sums;
    }

    /** Returns whether all of the last 300 seconds have no count. */
    boolean isEmpty(long second) {
        for (int i = 0; counts != null && i < SECONDS; i++) {
            if (get(second - i) != 0) {
                return false;
            }
        }
        return true;
    }
}
