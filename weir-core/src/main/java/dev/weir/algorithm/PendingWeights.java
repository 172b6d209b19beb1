package dev.weir.algorithm;

import java.util.Arrays;

/**
 * The weight that counts at the stamp of each pending reservation of a log, in their order. It does not change as time passes, so
 * it is stored. At most {@value Algorithm#MAX_PENDING} numbers as a rule; every step takes time proportional to theirs.
 */
final class PendingWeights {
    private long[] weights;
    private int size;

    /** Contains the given weights in this array. */
    PendingWeights(long... weights) {
        this.weights = weights;
        this.size = weights.length;
    }

    PendingWeights(PendingWeights other) {
        weights = Arrays.copyOf(other.weights, other.size);
        size = other.size;
    }

    long get(int i) {
        return weights[i];
    }

    /** Makes room for a weight: an insertion after it cannot fail for lack of memory. */
    void makeRoom() {
        if (size == weights.length) {
            weights = Arrays.copyOf(weights, 2 * size + 2);
        }
    }

    /** Inserts a weight, for which there is room. */
    void insert(int i, long weight) {
        System.arraycopy(weights, i, weights, i + 1, size - i);
        weights[i] = weight;
        size++;
    }

    /** Adds to the weights from one to before another. */
    void add(int from, int to, long weight) {
        for (int i = from; i < to; i++) {
            weights[i] += weight;
        }
    }

    void remove(int i) {
        size--;
        System.arraycopy(weights, i + 1, weights, i, size - i);
    }

    void removeFirst(int n) {
        if (n > 0) { // most steps remove none
            size -= n;
            System.arraycopy(weights, n, weights, 0, size);
        }
    }

    /** Returns the latest, from one to before another, at which more than {@code weight} counts; or -1. */
    int latestAbove(long weight, int from, int to) {
        int i = to - 1;
        while (i >= from && weights[i] <= weight) {
            i--;
        }
        return i < from ? -1 : i;
    }

    /** Returns the highest of the first {@code n} weights, or any weight of {@code enough} or more. */
    long highest(int n, long enough) {
        long highest = 0;
        for (int i = n - 1; i >= 0 && highest < enough; i--) {
            highest = Math.max(highest, weights[i]);
        }
        return highest;
    }
}
