package dev.weir.replay;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** How often each key was denied. */
final class Denials {
    private static final int TOP = 10;
    private static final Comparator<DeniedKey> MOST_FIRST =
            Comparator.comparingLong(DeniedKey::denied).reversed().thenComparing(DeniedKey::key);

    private final long[] counts;

    Denials(int keys) {
        counts = new long[keys];
    }

    void add(int key) {
        counts[key]++;
    }

    /** The ten most denied keys, most denied first and then by key. */
    List<DeniedKey> top(Trace trace) {
        PriorityQueue<DeniedKey> top = new PriorityQueue<>(MOST_FIRST.reversed()); // the least of them ahead
        for (int key = 0; key < counts.length; key++) {
            if (counts[key] > 0) {
                top.add(new DeniedKey(trace.key(key), counts[key]));
                if (top.size() > TOP) {
                    top.remove();
                }
            }
        }
        return top.stream().sorted(MOST_FIRST).toList();
    }
}
