package dev.weir.algorithm;

import java.util.Arrays;

/**
 * A short list of runs, sorted by stamp: the pending reservations of a log, or the windows of a fixed window counter. It has
 * the weight of the first n runs, and the weight that a log counts at the stamp of each run: the weight at an instant does not
 * change as time passes, so it is stored. About {@value Algorithm#MAX_PENDING} runs; every step takes time
 * proportional to their number, or to its logarithm.
 */
final class SortedRuns implements LimitState.Details {
    private long[] stamps = new long[4];
    private long[] through = new long[4]; // the weight of this one and those before, from anywhere
    private long[] counted = new long[4];
    private int head;
    private int end;

    SortedRuns() {}

    @Override
    public SortedRuns copy() {
        SortedRuns copy = new SortedRuns();
        copy.stamps = stamps.clone();
        copy.through = through.clone();
        copy.counted = counted.clone();
        copy.head = head;
        copy.end = end;
        return copy;
    }

    int size() {
        return end - head;
    }

    boolean isEmpty() {
        return head == end;
    }

    long stamp(int i) {
        return stamps[head + i];
    }

    long weight(int i) {
        return weightOfFirst(i + 1) - weightOfFirst(i);
    }

    /** Returns the weight that counts at the stamp of a run. */
    long counted(int i) {
        return counted[head + i];
    }

    void setCounted(int i, long weight) {
        counted[head + i] = weight;
    }

    /** Returns the latest of the given runs at whose stamp more than {@code weight} counts, or -1. */
    int latestAbove(long weight, int from, int to) {
        for (int i = head + to - 1; i >= head + from; i--) {
            if (counted[i] > weight) {
                return i - head;
            }
        }
        return -1;
    }

    /** Returns the highest weight that counts at the stamps of the given runs, or any weight of {@code enough} or more. */
    long highest(int from, int to, long enough) {
        long highest = 0;
        for (int i = head + to - 1; i >= head + from && highest < enough; i--) {
            highest = Math.max(highest, counted[i]);
        }
        return highest;
    }

    long weight() {
        return weightOfFirst(size());
    }

    /** Returns the weight of the first {@code n} runs. */
    long weightOfFirst(int n) {
        return n == 0 ? 0 : through[head + n - 1] - (head == 0 ? 0 : through[head - 1]);
    }

    /** Returns the number of runs with a stamp at or before this one. */
    int countUpTo(long stamp) {
        return countUpTo(stamp, 0);
    }

    /** Returns the number of runs with a stamp at or before an instant, which is given as a wait. */
    int countUpTo(long now, long wait) {
        return countUpTo(now, wait, 0);
    }

    /** Returns the same, fast if it is a little more than {@code atLeast}, which is a lower bound. */
    int countUpTo(long now, long wait, int atLeast) {
        int low = head + atLeast;
        int high = low;
        for (int step = 1; high < end && stamps[high] - now <= wait; step *= 2) { // then high is the first one beyond
            low = high + 1;
            high = Math.min(end, high + step);
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stamps[middle] - now <= wait) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - head;
    }

    /** Returns the run in which a permit lies, counted from the first. */
    int holding(long permit) {
        int low = 0;
        int high = size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (weightOfFirst(middle + 1) >= permit) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns the run with exactly this stamp, or -1. */
    int find(long stamp) {
        int i = countUpTo(stamp) - 1;
        return i >= 0 && stamp(i) == stamp ? i : -1;
    }

    /**
     * Adds weight at a stamp; it is not yet counted at any stamp.
     *
     * @param countedThere the weight that counts at its stamp without it
     */
    void add(long stamp, long permits, long countedThere) {
        int i = countUpTo(stamp) - 1;
        if (i < 0 || stamp(i) != stamp) {
            insert(++i, stamp, countedThere);
        }
        for (int j = head + i; j < end; j++) {
            through[j] += permits;
        }
    }

    private void insert(int i, long stamp, long countedThere) {
        if (end == stamps.length) {
            makeRoom();
        }
        int at = head + i;
        System.arraycopy(stamps, at, stamps, at + 1, end - at);
        System.arraycopy(through, at, through, at + 1, end - at);
        System.arraycopy(counted, at, counted, at + 1, end - at);
        stamps[at] = stamp;
        through[at] = at == 0 ? 0 : through[at - 1];
        counted[at] = countedThere;
        end++;
    }

    /** Moves all to the start of the arrays, larger ones if they are more than half full. */
    private void makeRoom() {
        long before = head == 0 ? 0 : through[head - 1];
        int room = size() > stamps.length / 2 ? 2 * stamps.length : stamps.length;
        stamps = Arrays.copyOf(Arrays.copyOfRange(stamps, head, end), room);
        through = Arrays.copyOf(Arrays.copyOfRange(through, head, end), room);
        counted = Arrays.copyOf(Arrays.copyOfRange(counted, head, end), room);
        end -= head;
        head = 0;
        for (int i = 0; i < end; i++) {
            through[i] -= before;
        }
    }

    /** Adds to the weight that counts at the stamps of one instant or later, and before another. */
    void addCounted(long from, long until, long permits) {
        for (int i = head + countUpTo(from - 1); i < end && stamps[i] - until < 0; i++) {
            counted[i] += permits;
        }
    }

    /** Reduces the weight of a run, and removes it if none is left. */
    void reduce(int i, long permits) {
        for (int j = head + i; j < end; j++) {
            through[j] -= permits;
        }
        if (weight(i) == 0) {
            System.arraycopy(stamps, head + i + 1, stamps, head + i, size() - i - 1);
            System.arraycopy(through, head + i + 1, through, head + i, size() - i - 1);
            System.arraycopy(counted, head + i + 1, counted, head + i, size() - i - 1);
            end--;
        }
    }

    /** Removes the first run. */
    void removeFirst() {
        head++;
    }
}
