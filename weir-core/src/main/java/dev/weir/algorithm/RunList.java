package dev.weir.algorithm;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * A list of runs, {@code (stamp, weight)}, sorted by stamp, with the sums of their weights: 16 bytes a run. Adding at the end and
 * removing at the start take constant time, searches by stamp and by weight logarithmic time. A change in the middle takes a step
 * for each later run of its block, and for each later block of {@value #BLOCK} runs.
 */
/*
 * A block contains the sum of the weights up to each of its runs, except for a number that is the same for all of them, so that a
 * change of a weight adds to one number for each later block. Sums are counted from anywhere: only their differences matter.
 */
final class RunList implements LimitState.Details {
    private static final int BITS = 8;
    private static final int BLOCK = 1 << BITS;
    private static final int MIN_RUNS = 4;

    private final ArrayList<Block> blocks;
    private long[] more; // to be added to each sum of a block; in one array, so that changing all takes little time
    private int head; // the position of the first run in the first block
    private int size;
    private long removed; // the sum of the weights before the first run

    /** Up to {@value #BLOCK} runs. */
    private static final class Block {
        long[] pairs; // stamp, sum, stamp, sum ...
        boolean shared; // with a copy of the list: cloned before it is changed

        Block(long[] pairs, boolean shared) {
            this.pairs = pairs;
            this.shared = shared;
        }
    }

    RunList() {
        blocks = new ArrayList<>(1);
        more = new long[1];
    }

    private RunList(RunList other) {
        blocks = new ArrayList<>(other.blocks.size());
        for (Block block : other.blocks) {
            block.shared = true;
            blocks.add(new Block(block.pairs, true));
        }
        more = other.more.clone();
        head = other.head;
        size = other.size;
        removed = other.removed;
    }

    /** Returns an independent copy. It shares the runs of a block until they are changed, so that copying takes little time. */
    @Override
    public RunList copy() {
        return new RunList(this);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long stamp(int i) {
        return block(i).pairs[slot(i)];
    }

    long weight(int i) {
        return weightBefore(i + 1) - weightBefore(i);
    }

    /** Returns the weight of the runs before one; of use is only the difference between two of these numbers. */
    long weightBefore(int i) {
        if (i == 0) {
            return removed;
        }
        int number = number(i - 1);
        return blocks.get(number).pairs[slot(i - 1) + 1] + more[number];
    }

    private Block block(int i) {
        return blocks.get(number(i));
    }

    private int number(int i) {
        return (head + i) >> BITS;
    }

    private int slot(int i) {
        return 2 * ((head + i) & (BLOCK - 1));
    }

    private Block changeable(int number) {
        Block block = blocks.get(number);
        if (block.shared) {
            block.pairs = block.pairs.clone();
            block.shared = false;
        }
        return block;
    }

    /** Returns the first run with a stamp after an instant. */
    int after(long instant) {
        return after(0, instant, 0);
    }

    /**
     * Returns the first run from {@code from} on with a stamp after an instant, which is given as a wait; those before have earlier
     * stamps. Takes little time if it is close to {@code from}.
     */
    int after(int from, long now, long wait) {
        int low = from;
        int high = low;
        for (int step = 1; high < size && stamp(high) - now <= wait; step *= 2) { // then `high` is the first one beyond
            low = high + 1;
            high = Math.min(size, high + step);
        }
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

    /** Returns the run with exactly this stamp, or -1. */
    int find(long stamp) {
        int i = after(stamp) - 1;
        return i >= 0 && stamp(i) == stamp ? i : -1;
    }

    /**
     * Returns the run in which a permit lies, counted from the start of the run {@code from}; it must exist. Takes little time if it
     * is close to {@code from}.
     */
    int holding(int from, long permit) {
        long before = weightBefore(from);
        int low = from;
        int high = low;
        for (int step = 1; weightBefore(high + 1) - before < permit; step *= 2) {
            low = high + 1;
            high = Math.min(size - 1, high + step);
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (weightBefore(middle + 1) - before >= permit) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Adds weight at a stamp. Returns its run. */
    int add(long stamp, long weight) {
        int i = isEmpty() || stamp(size - 1) - stamp <= 0 ? size : after(stamp);
        if (i > 0 && stamp(i - 1) == stamp) {
            i--;
        } else {
            insert(i, stamp);
        }
        addWeight(i, weight);
        return i;
    }

    /** Adds to the weight of a run, which must exist. */
    void addWeight(int i, long weight) {
        int number = number(i);
        long[] pairs = changeable(number).pairs;
        if (i == size - 1) { // as nearly always
            pairs[slot(i) + 1] += weight;
            return;
        }
        for (int slot = slot(i) + 1; slot < pairs.length; slot += 2) {
            pairs[slot] += weight;
        }
        for (int later = number + 1; later < blocks.size(); later++) {
            more[later] += weight;
        }
    }

    /** Inserts a run without weight. */
    private void insert(int i, long stamp) {
        long sum = weightBefore(i);
        makeRoom();
        size++;
        int number = number(i);
        for (int last = blocks.size() - 1; last > number; last--) {
            move(changeable(last).pairs, 0, 2);
            copy(last - 1, BLOCK - 1, last, 0);
        }
        Block block = changeable(number);
        if (i < size - 1) {
            move(block.pairs, slot(i), slot(i) + 2);
        }
        block.pairs[slot(i)] = stamp;
        block.pairs[slot(i) + 1] = sum - more[number];
    }

    /** Ensures that there is room for a run behind the last one. */
    private void makeRoom() {
        int number = number(size);
        if (number == blocks.size()) {
            more = number == more.length ? Arrays.copyOf(more, 2 * number) : more;
            blocks.add(new Block(new long[2 * MIN_RUNS], false)); // last: if there is no memory, nothing has changed
        }
        Block block = changeable(number);
        if (slot(size) < block.pairs.length) {
            return;
        }
        if (number == 0 && head >= size) {
            move(block.pairs, 2 * head, 0);
            head = 0;
        } else {
            block.pairs = Arrays.copyOf(block.pairs, 2 * block.pairs.length);
        }
    }

    private static void move(long[] pairs, int from, int to) {
        System.arraycopy(pairs, from, pairs, to, pairs.length - Math.max(from, to));
    }

    private void copy(int from, int run, int to, int toRun) {
        long[] pairs = blocks.get(from).pairs;
        long[] toPairs = blocks.get(to).pairs;
        toPairs[2 * toRun] = pairs[2 * run];
        toPairs[2 * toRun + 1] = pairs[2 * run + 1] + more[from] - more[to];
    }

    void remove(int i) {
        addWeight(i, -weight(i));
        int number = number(i);
        int last = blocks.size() - 1;
        move(changeable(number).pairs, slot(i) + 2, slot(i));
        for (; number < last; number++) {
            copy(number + 1, 0, number, BLOCK - 1);
            move(changeable(number + 1).pairs, 2, 0);
        }
        size--;
        if (head + size == (last << BITS)) {
            blocks.remove(last);
        }
    }

    /** Removes all runs from one on. Returns them: stamp, weight, stamp, weight ... */
    long[] removeFrom(int from) {
        long[] pairs = new long[2 * (size - from)];
        for (int i = 0; i < pairs.length; i += 2) {
            pairs[i] = stamp(from + i / 2);
            pairs[i + 1] = weight(from + i / 2);
        }
        size = from;
        blocks.subList((head + size + BLOCK - 1) >> BITS, blocks.size()).clear();
        return pairs;
    }

    void removeFirst(int n) {
        removed = weightBefore(n);
        head += n;
        size -= n;
        int whole = head >> BITS;
        if (whole > 0) {
            System.arraycopy(more, whole, more, 0, blocks.size() - whole);
            blocks.subList(0, whole).clear();
            head -= whole << BITS;
        }
    }
}
