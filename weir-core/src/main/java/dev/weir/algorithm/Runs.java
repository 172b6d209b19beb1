package dev.weir.algorithm;

/**
 * Runs of permits, {@code (stamp, weight)}, sorted by stamp: a ring that grows and shrinks by doubling and halving. 16
 * bytes a run. Adding at the newest end and dropping at the oldest take constant time; elsewhere a run costs a shift of
 * those behind it.
 */
abstract class Runs {
    private static final long[] NONE = {};

    private long[] ring = NONE; // stamp, weight, stamp, weight ...; room for a power of two of runs, or none
    private int head; // the oldest run
    private int size;

    Runs() {}

    Runs(Runs other) {
        ring = other.ring.clone();
        head = other.head;
        size = other.size;
    }

    /** The same runs once more. */
    abstract Runs copy();

    final int size() {
        return size;
    }

    final boolean isEmpty() {
        return size == 0;
    }

    final long stamp(int i) {
        return ring[slot(i)];
    }

    final long weight(int i) {
        return ring[slot(i) + 1];
    }

    /** The stamp of the newest run; there must be one. */
    final long newest() {
        return stamp(size - 1);
    }

    /** Adds weight at a stamp: to the run that is there, or as a run of its own. */
    final void add(long stamp, long weight) {
        int i = size;
        while (i > 0 && stamp(i - 1) - stamp > 0) {
            i--;
        }
        if (i > 0 && stamp(i - 1) == stamp) {
            long sum = weight(i - 1) + weight;
            ring[slot(i - 1) + 1] = sum < 0 ? Long.MAX_VALUE : sum;
            return;
        }
        if (2 * size == ring.length) {
            resize(Math.max(1, 2 * size));
        }
        for (int j = size++; j > i; j--) {
            copy(j - 1, j);
        }
        ring[slot(i)] = stamp;
        ring[slot(i) + 1] = weight;
    }

    /** Adds weight to the newest run; the sum must not overflow. */
    final void addToNewest(long weight) {
        ring[slot(size - 1) + 1] += weight;
    }

    /** Takes weight from a run, and drops the run when none is left. */
    final void take(int i, long weight) {
        ring[slot(i) + 1] -= weight;
        if (weight(i) == 0) {
            drop(i);
        }
    }

    /** Drops a run. */
    final void drop(int i) {
        for (int j = i; j > 0; j--) {
            copy(j - 1, j);
        }
        head = size == 1 ? 0 : (head + 1) & (ring.length / 2 - 1);
        size--;
        if (size <= ring.length / 8) {
            resize(size == 0 ? 0 : ring.length / 4);
        }
    }

    /** The run with exactly this stamp, or -1. */
    final int find(long stamp) {
        int i = countUpTo(stamp) - 1;
        return i >= 0 && stamp(i) == stamp ? i : -1;
    }

    /** How many runs have a stamp at or before this one. */
    final int countUpTo(long stamp) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stamp(middle) - stamp <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int slot(int i) {
        return 2 * ((head + i) & (ring.length / 2 - 1));
    }

    private void copy(int from, int to) {
        int source = slot(from);
        int target = slot(to);
        ring[target] = ring[source];
        ring[target + 1] = ring[source + 1];
    }

    private void resize(int runs) {
        long[] next = runs == 0 ? NONE : new long[2 * runs];
        for (int i = 0; i < size; i++) {
            next[2 * i] = stamp(i);
            next[2 * i + 1] = weight(i);
        }
        ring = next;
        head = 0;
    }
}
