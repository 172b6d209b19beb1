package dev.weir.algorithm;

/**
 * Permits by instant: runs {@code (stamp, weight)}, sorted by stamp, in a ring that grows and shrinks by doubling and
 * halving. Adding at the newest end and dropping at the oldest take constant time; elsewhere a run costs a shift of those
 * behind it.
 *
 * <p>Two encodings. <b>Coarse</b>: a stamp and a weight, 16 bytes a run. <b>Fine</b>: 4 bytes a permit, for permits that
 * mostly have a tick of their own; each is a run of weight 1, so that a stamp may be there more than once.
 */
/*
 * Fine runs are ticks after a base, as unsigned ints. They can be added at the newest end and dropped at the oldest;
 * whatever else is wanted, or does not lie on a tick, makes the ring coarse. When the ring is full it goes on in the
 * encoding that takes less space, so that turning it costs no more than growing it.
 */
class Runs {
    private static final long[] NO_PAIRS = {};
    private static final int[] NO_TICKS = {};
    private static final int MOST_AT_ONCE = 4; // a request of more permits takes less space as a pair
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private final long tick; // the length of a tick; 0 if there is none, so that the ring is always coarse
    private long base;
    private int[] ticks = NO_TICKS; // of fine runs; room for a power of two, or none
    private long[] pairs = NO_PAIRS; // of coarse runs: stamp, weight, stamp, weight ...
    private boolean fine;
    private int head; // the oldest run
    private int size;

    Runs(long tick) {
        this.tick = tick;
        this.fine = tick > 0;
    }

    final int size() {
        return size;
    }

    final boolean isEmpty() {
        return size == 0;
    }

    final boolean isFine() {
        return fine;
    }

    final long stamp(int i) {
        return fine ? base + (ticks[slot(i)] & UNSIGNED) * tick : pairs[2 * slot(i)];
    }

    final long weight(int i) {
        return fine ? 1 : pairs[2 * slot(i) + 1];
    }

    /** The stamp of the newest run; there must be one. */
    final long newest() {
        return stamp(size - 1);
    }

    /** Adds weight at a stamp. */
    final void add(long stamp, long weight) {
        if (fine && addFine(stamp, weight)) {
            return;
        }
        makeCoarse();
        addCoarse(stamp, weight);
    }

    private boolean addFine(long stamp, long weight) {
        if (weight > MOST_AT_ONCE || (size > 0 && stamp - newest() < 0)) {
            return false;
        }
        if (size == 0) {
            base = stamp;
        }
        long after = (stamp - base) / tick;
        if (after * tick != stamp - base || (after > UNSIGNED && (after = rebased(stamp)) > UNSIGNED)) {
            return false;
        }
        if (after < 0 || (size + weight > ticks.length && !growFine((int) weight))) {
            return false;
        }
        for (long i = 0; i < weight; i++) {
            ticks[slot(size++)] = (int) after;
        }
        return true;
    }

    /** Moves the base to the oldest run, and tells how many ticks a stamp lies after that. */
    private long rebased(long stamp) {
        int passed = ticks[slot(0)];
        for (int i = 0; i < size; i++) {
            ticks[slot(i)] -= passed;
        }
        base += (passed & UNSIGNED) * tick;
        return (stamp - base) / tick;
    }

    /** Makes room for so many more; false if pairs would take less. */
    private boolean growFine(int more) {
        int distinct = size == 0 ? 0 : 1;
        for (int i = 1; i < size; i++) {
            distinct += ticks[slot(i)] == ticks[slot(i - 1)] ? 0 : 1;
        }
        if (4 * (long) distinct < size) {
            return false;
        }
        resize(Math.max(MOST_AT_ONCE, roomFor(size + more)));
        return true;
    }

    private void addCoarse(long stamp, long weight) {
        int i = size;
        while (i > 0 && stamp(i - 1) - stamp > 0) {
            i--;
        }
        if (i > 0 && stamp(i - 1) == stamp) {
            long sum = weight(i - 1) + weight;
            pairs[2 * slot(i - 1) + 1] = sum < 0 ? Long.MAX_VALUE : sum;
            return;
        }
        if (2 * size == pairs.length) {
            resize(Math.max(1, 2 * size));
        }
        for (int j = size++; j > i; j--) {
            copy(j - 1, j);
        }
        pairs[2 * slot(i)] = stamp;
        pairs[2 * slot(i) + 1] = weight;
    }

    /** Turns to pairs, one for each stamp. */
    final void makeCoarse() {
        if (!fine) {
            return;
        }
        long[] next = new long[2 * roomFor(size)];
        int runs = 0;
        for (int i = 0; i < size; i++) {
            if (runs == 0 || next[2 * runs - 2] != stamp(i)) {
                next[2 * runs++] = stamp(i);
            }
            next[2 * runs - 1]++;
        }
        fine = false;
        pairs = next;
        ticks = NO_TICKS;
        head = 0;
        size = runs;
    }

    /** Turns from pairs to ticks if that takes half the space; false if not. */
    final boolean makeFine() {
        long permits = 0;
        for (int i = 0; i < size; i++) {
            long after = stamp(i) - stamp(0);
            if (weight(i) > MOST_AT_ONCE || after < 0 || after / tick > UNSIGNED || after % tick != 0) {
                return false;
            }
            permits += weight(i);
        }
        if (permits > 2L * size || permits > Integer.MAX_VALUE / 2) {
            return false;
        }
        int[] next = new int[roomFor((int) permits)];
        int at = 0;
        for (int i = 0; i < size; i++) {
            for (long j = weight(i); j > 0; j--) {
                next[at++] = (int) ((stamp(i) - stamp(0)) / tick);
            }
        }
        base = stamp(0);
        fine = true;
        ticks = next;
        pairs = NO_PAIRS;
        head = 0;
        size = at;
        return true;
    }

    /** Adds weight to the newest run, a coarse one; the sum must not overflow. */
    final void addToNewest(long weight) {
        pairs[2 * slot(size - 1) + 1] += weight;
    }

    /** Takes weight from a coarse run, and drops the run when none is left. */
    final void take(int i, long weight) {
        pairs[2 * slot(i) + 1] -= weight;
        if (weight(i) == 0) {
            drop(i);
        }
    }

    /** Drops a run. */
    final void drop(int i) {
        for (int j = i; j > 0; j--) {
            copy(j - 1, j);
        }
        head = size == 1 ? 0 : (head + 1) & (room() - 1);
        size--;
        if (size <= room() / 4) {
            resize(size == 0 ? 0 : room() / 2);
        }
    }

    /** The coarse run with exactly this stamp, or -1. */
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

    /** Whether the next run at the newest end makes the ring grow. */
    final boolean isFull() {
        return size == room();
    }

    private int room() {
        return fine ? ticks.length : pairs.length / 2;
    }

    private static int roomFor(int runs) {
        return runs <= 1 ? 1 : Integer.highestOneBit(runs - 1) << 1;
    }

    private int slot(int i) {
        return (head + i) & (room() - 1);
    }

    private void copy(int from, int to) {
        if (fine) {
            ticks[slot(to)] = ticks[slot(from)];
        } else {
            pairs[2 * slot(to)] = pairs[2 * slot(from)];
            pairs[2 * slot(to) + 1] = pairs[2 * slot(from) + 1];
        }
    }

    private void resize(int room) {
        if (fine) {
            int[] next = room == 0 ? NO_TICKS : new int[room];
            for (int i = 0; i < size; i++) {
                next[i] = ticks[slot(i)];
            }
            ticks = next;
        } else {
            long[] next = room == 0 ? NO_PAIRS : new long[2 * room];
            for (int i = 0; i < size; i++) {
                next[2 * i] = stamp(i);
                next[2 * i + 1] = weight(i);
            }
            pairs = next;
        }
        head = 0;
    }
}
