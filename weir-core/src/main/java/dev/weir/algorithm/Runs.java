package dev.weir.algorithm;

import java.util.Arrays;

/**
 * Runs of permits, {@code (stamp, weight)}, sorted by stamp, in one array of 16 bytes a run. Searches are logarithmic;
 * insertion and removal shift the runs behind.
 */
final class Runs implements LimitState.Details {
    private static final long[] NONE = {};

    private long[] pairs = NONE; // stamp, weight, stamp, weight ...
    private int size;

    Runs() {}

    @Override
    public Runs copy() {
        Runs copy = new Runs();
        copy.pairs = pairs.clone();
        copy.size = size;
        return copy;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long stamp(int i) {
        return pairs[2 * i];
    }

    long weight(int i) {
        return pairs[2 * i + 1];
    }

    /** Adds weight at a stamp; a weight above {@link Long#MAX_VALUE} saturates. */
    void add(long stamp, long weight) {
        int i = countUpTo(stamp);
        if (i > 0 && stamp(i - 1) == stamp) {
            long sum = weight(i - 1) + weight;
            pairs[2 * i - 1] = sum < 0 ? Long.MAX_VALUE : sum;
            return;
        }
        if (2 * size == pairs.length) {
            pairs = Arrays.copyOf(pairs, Math.max(2, 4 * size));
        }
        System.arraycopy(pairs, 2 * i, pairs, 2 * i + 2, 2 * (size - i));
        pairs[2 * i] = stamp;
        pairs[2 * i + 1] = weight;
        size++;
    }

    /** Reduces the weight of a run, and removes the run if none is left. */
    void reduce(int i, long weight) {
        pairs[2 * i + 1] -= weight;
        if (weight(i) == 0) {
            System.arraycopy(pairs, 2 * i + 2, pairs, 2 * i, 2 * (size - i - 1));
            size--;
        }
    }

    /** Removes the given number of runs, the oldest first. */
    void removeFirst(int runs) {
        if (runs > 0) {
            pairs = Arrays.copyOfRange(pairs, 2 * runs, Math.max(2 * runs, 2 * size));
            size -= runs;
        }
    }

    /** Returns the run with exactly this stamp, or -1. */
    int find(long stamp) {
        int i = countUpTo(stamp) - 1;
        return i >= 0 && stamp(i) == stamp ? i : -1;
    }

    /** Returns the number of runs with a stamp at or before this one. */
    int countUpTo(long stamp) {
        return countUpTo(stamp, 0);
    }

    /** Returns the number of runs with a stamp at or before an instant, which is given as a wait. */
    int countUpTo(long now, long wait) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stamp(middle) - now <= wait) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
