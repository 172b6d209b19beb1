package dev.weir.replay.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntFunction;

/** The keys with the most denied requests, most denied first and then by their texts. */
final class TopKeys {
    private TopKeys() {}

    /** Returns the numbers of at most {@code most} keys that were denied. */
    static List<Integer> of(int[] deniedByKey, int most, IntFunction<String> text) {
        Comparator<Integer> order = Comparator.<Integer>comparingInt(key -> deniedByKey[key])
                .reversed()
                .thenComparing(text::apply);
        PriorityQueue<Integer> top = new PriorityQueue<>(order.reversed());
        for (int key = 0; key < deniedByKey.length; key++) {
            if (deniedByKey[key] > 0) {
                top.add(key);
                if (top.size() > most) {
                    top.remove();
                }
            }
        }
        List<Integer> keys = new ArrayList<>(top);
        keys.sort(order);
        return keys;
    }
}
