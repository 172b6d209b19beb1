package dev.weir.server.live;

import org.jspecify.annotations.Nullable;

/** Counts of the latest steps of time, seconds for example. 4 bytes for each once there is one. Not thread-safe. */
final class Ring {
    static final int SECONDS = 300;

    private final int size;
    private int @Nullable [] counts;
    private long newest;

    /** Creates a ring of the given number of steps, without counts. */
    Ring(int size) {
        this.size = size;
    }

    /** Adds to the count of a step. One that is earlier than the latest counts for that. */
    void add(long step, long count) {
        if (counts == null) {
            if (count == 0) {
                return;
            }
            counts = new int[size];
            newest = step - size;
        }
        for (long next = Math.max(newest + 1, step - size + 1); next <= step; next++) {
            counts[index(next)] = 0;
        }
        newest = Math.max(newest, step);
        counts[index(newest)] = (int) Math.min(counts[index(newest)] + count, Integer.MAX_VALUE);
    }

    private int index(long step) {
        return (int) Math.floorMod(step, (long) size);
    }

    /** Returns the count of a step; 0 if it is not among the latest. */
    int get(long step) {
        return counts == null || step > newest || step <= newest - size ? 0 : counts[index(step)];
    }

    /**
     * Returns sums of the latest steps, oldest first.
     *
     * @param step the last one
     * @param width the steps in one sum, a divisor of their number
     */
    long[] sums(long step, int width) {
        long[] sums = new long[size / width];
        for (int i = 0; i < size; i++) {
            sums[i / width] += get(step - size + 1 + i);
        }
        return sums;
    }

    /** Returns whether all steps up to the given one have no count. */
    boolean isEmpty(long step) {
        for (int i = 0; counts != null && i < size; i++) {
            if (get(step - i) != 0) {
                return false;
            }
        }
        return true;
    }
}
