package dev.weir.replay.trace;

import java.util.Arrays;

/**
 * Requests in memory, sorted by time on demand, those of one instant as they came. A sorted or almost sorted buffer costs
 * one pass.
 *
 * <p>A bottom-up merge sort over three parallel arrays. Before two neighbours are merged, the parts that are already in place at
 * their outer ends are skipped; logs are out of order by seconds only, so little is ever moved.
 */
final class EventBuffer {
    private static final int BLOCK = 16; // sorted by insertion
    private static final int FIRST_CAPACITY = 1024;

    private final int maxSize;
    private long[] times = new long[FIRST_CAPACITY];
    private int[] keys = new int[FIRST_CAPACITY];
    private long[] permits = new long[FIRST_CAPACITY];
    private int size;
    private boolean sorted = true;

    // The left neighbour while it is merged
    private long[] leftTimes = {};
    private int[] leftKeys = {};
    private long[] leftPermits = {};

    EventBuffer(int maxSize) {
        this.maxSize = maxSize;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == maxSize;
    }

    long time(int index) {
        return times[index];
    }

    int key(int index) {
        return keys[index];
    }

    long permits(int index) {
        return permits[index];
    }

    void add(long time, int key, long weight) {
        if (size == times.length) {
            int capacity = Math.min(size * 2, maxSize);
            times = Arrays.copyOf(times, capacity);
            keys = Arrays.copyOf(keys, capacity);
            permits = Arrays.copyOf(permits, capacity);
        }
        sorted &= size == 0 || times[size - 1] <= time;
        times[size] = time;
        keys[size] = key;
        permits[size] = weight;
        size++;
    }

    void clear() {
        size = 0;
        sorted = true;
    }

    void sort() {
        if (sorted) {
            return;
        }
        for (int from = 0; from < size; from += BLOCK) {
            sortBlock(from, Math.min(from + BLOCK, size));
        }
        for (int width = BLOCK; width < size; width *= 2) {
            for (int from = 0; from < size - width; from += 2 * width) {
                merge(from, from + width, Math.min(from + 2 * width, size));
            }
        }
        sorted = true;
    }

    private void sortBlock(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long time = times[i];
            int key = keys[i];
            long weight = permits[i];
            int at = i;
            while (at > from && times[at - 1] > time) {
                move(at - 1, at);
                at--;
            }
            times[at] = time;
            keys[at] = key;
            permits[at] = weight;
        }
    }

    private void merge(int from, int middle, int to) {
        if (times[middle - 1] <= times[middle]) {
            return;
        }
        int left = firstAfter(times[middle], from, middle);
        int right = middle;
        int rightEnd = firstAfter(times[middle - 1] - 1, middle, to);
        int leftSize = takeLeft(left, middle);
        int at = left;
        for (int i = 0; i < leftSize; at++) {
            if (right < rightEnd && times[right] < leftTimes[i]) {
                move(right++, at);
            } else {
                times[at] = leftTimes[i];
                keys[at] = leftKeys[i];
                permits[at] = leftPermits[i++];
            }
        }
    }

    private int takeLeft(int from, int to) {
        int length = to - from;
        if (leftTimes.length < length) {
            int capacity = Integer.highestOneBit(length) * 2;
            leftTimes = new long[capacity];
            leftKeys = new int[capacity];
            leftPermits = new long[capacity];
        }
        System.arraycopy(times, from, leftTimes, 0, length);
        System.arraycopy(keys, from, leftKeys, 0, length);
        System.arraycopy(permits, from, leftPermits, 0, length);
        return length;
    }

    /** Returns the first index in a sorted range whose time is after {@code time}. */
    private int firstAfter(long time, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void move(int from, int to) {
        times[to] = times[from];
        keys[to] = keys[from];
        permits[to] = permits[from];
    }
}
