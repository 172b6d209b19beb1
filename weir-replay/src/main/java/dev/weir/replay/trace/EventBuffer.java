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
    private static final int FIRST_CAPACITY = 1024;

    private final int maxSize;
    private long[] times = new long[FIRST_CAPACITY];
    private int[] keys = new int[FIRST_CAPACITY];
    private long[] permits = new long[FIRST_CAPACITY];
    private int size;
    private boolean sorted = true;

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
        for (int width = 1; width < size; width *= 2) {
            for (int from = 0; from < size - width; from += 2 * width) {
                merge(from, from + width, Math.min(from + 2 * width, size));
            }
        }
        sorted = true;
    }

    private void merge(int from, int middle, int to) {
        if (times[middle - 1] <= times[middle]) {
            return;
        }
        int at = firstAfter(times[middle], from, middle);
        int right = middle;
        int rightEnd = firstAfter(times[middle - 1] - 1, middle, to);
        long[] leftTimes = Arrays.copyOfRange(times, at, middle);
        int[] leftKeys = Arrays.copyOfRange(keys, at, middle);
        long[] leftPermits = Arrays.copyOfRange(permits, at, middle);
        for (int i = 0; i < leftTimes.length; at++) {
            if (right < rightEnd && times[right] < leftTimes[i]) {
                times[at] = times[right];
                keys[at] = keys[right];
                permits[at] = permits[right++];
            } else {
                times[at] = leftTimes[i];
                keys[at] = leftKeys[i];
                permits[at] = leftPermits[i++];
            }
        }
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
}
