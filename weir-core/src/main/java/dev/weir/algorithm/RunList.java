package dev.weir.algorithm;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * A list of runs, {@code (stamp, weight)}, sorted by stamp, in blocks of {@value #BLOCK} that know their weight: 16 bytes a run.
 * Adding at the end and removing at the start take constant time. Searches by stamp are logarithmic; sums and searches by weight
 * skip over whole blocks.
 */
final class RunList {
    private static final int BITS = 8;
    private static final int BLOCK = 1 << BITS;
    private static final int MIN_RUNS = 4;

    private final ArrayList<Block> blocks;
    private int size;

    /** Up to {@value #BLOCK} runs and their weight. */
    private static final class Block {
        long[] pairs; // stamp, weight, stamp, weight ...; zero behind the last run
        long weight;
        boolean shared; // with a copy of the list: cloned before it is changed

        Block(long[] pairs, long weight) {
            this.pairs = pairs;
            this.weight = weight;
        }
    }

    RunList() {
        blocks = new ArrayList<>(1);
    }

    /** Creates an independent copy. It shares the blocks until they are changed, so that copying takes little time. */
    RunList(RunList other) {
        other.blocks.forEach(block -> block.shared = true);
        blocks = new ArrayList<>(other.blocks);
        size = other.size;
    }

    int size() {
        return size;
    }

    long stamp(int i) {
        return block(i).pairs[slot(i)];
    }

    long weight(int i) {
        return block(i).pairs[slot(i) + 1];
    }

    private Block block(int i) {
        return blocks.get(i >> BITS);
    }

    private static int slot(int i) {
        return 2 * (i & BLOCK - 1);
    }

    void addWeight(int i, long weight) {
        Block block = changeable(i);
        block.pairs[slot(i) + 1] += weight;
        block.weight += weight;
    }

    private Block changeable(int i) {
        Block block = block(i);
        if (block.shared) {
            block = new Block(block.pairs.clone(), block.weight);
            blocks.set(i >> BITS, block);
        }
        return block;
    }

    private boolean isWholeBlock(int i) {
        return (i & BLOCK - 1) == 0 && i + BLOCK <= size;
    }

    /** Returns the first run from {@code from} on with a stamp after an instant, which is given as a wait. */
    int after(int from, long now, long wait) {
        int i = from;
        while (i < size) {
            if (isWholeBlock(i) && stamp(i + BLOCK - 1) - now <= wait) {
                i += BLOCK;
            } else if (stamp(i) - now <= wait) {
                i++;
            } else {
                return i;
            }
        }
        return i;
    }

    /** Returns the weight of the runs from one to before another. */
    long weight(int from, int to) {
        long weight = 0;
        for (int i = from; i < to; ) {
            boolean whole = isWholeBlock(i) && i + BLOCK <= to;
            weight += whole ? block(i).weight : weight(i);
            i += whole ? BLOCK : 1;
        }
        return weight;
    }

    /** Returns the run in which a permit lies, counted from the start of the run {@code from}; it must exist. */
    int holding(int from, long permit) {
        long rest = permit;
        int i = from;
        while (true) {
            boolean whole = isWholeBlock(i) && block(i).weight < rest;
            long weight = whole ? block(i).weight : weight(i);
            if (weight >= rest) {
                return i;
            }
            rest -= weight;
            i += whole ? BLOCK : 1;
        }
    }

    /** Returns the first run from {@code from} on that has weight; the size if there is none. */
    int skipEmpty(int from) {
        int i = from;
        while (i < size && weight(i) == 0) {
            i += isWholeBlock(i) && block(i).weight == 0 ? BLOCK : 1;
        }
        return i;
    }

    /** Returns the run from {@code from} on with exactly this stamp, or -1. */
    int find(int from, long stamp) {
        int low = from;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stamp(middle) - stamp < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < size && stamp(low) == stamp ? low : -1;
    }

    /** Adds weight at a stamp, which is not before that of {@code from}. Takes a step for each later run. Returns its run. */
    int add(int from, long stamp, long weight) {
        int i = size;
        while (i > from && stamp(i - 1) - stamp > 0) {
            i--;
        }
        if (i > from && stamp(i - 1) == stamp) {
            addWeight(i - 1, weight);
            return i - 1;
        }
        append();
        for (int j = size - 1; j > i; j--) {
            set(j, stamp(j - 1), weight(j - 1));
        }
        set(i, stamp, weight);
        return i;
    }

    private void append() {
        if (size >> BITS == blocks.size()) {
            blocks.add(new Block(new long[size == 0 ? 2 * MIN_RUNS : 2 * BLOCK], 0));
        }
        Block block = changeable(size);
        if (slot(size) == block.pairs.length) {
            block.pairs = Arrays.copyOf(block.pairs, 2 * block.pairs.length);
        }
        size++;
    }

    private void set(int i, long stamp, long weight) {
        addWeight(i, weight - weight(i));
        block(i).pairs[slot(i)] = stamp;
    }

    /** Removes the newest run. */
    void removeLast() {
        addWeight(size - 1, -weight(size - 1));
        size--;
    }

    /** Removes the blocks whose runs are all before a given run. Returns the number of runs removed. */
    int removeBlocksBefore(int start) {
        int removed = start >> BITS;
        if (removed > 0) {
            blocks.subList(0, removed).clear();
            size -= removed << BITS;
        }
        return removed << BITS;
    }
}
