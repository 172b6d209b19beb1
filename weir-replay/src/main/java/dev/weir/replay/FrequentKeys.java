package dev.weir.replay;

import dev.weir.replay.ReplayResult.DeniedKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The keys that were denied most, in bounded memory: frequent items by the Space-Saving algorithm (Metwally, Agrawal, El Abbadi 2005). A new key
 * takes the place of the one that was denied least, and its count; so a count is never too low, and too high by at most that. A key
 * with more than 1 / capacity of all denials is always there. Time: constant for a key that is there, otherwise logarithmic or, for
 * the search of the least, amortized by sorting. Not thread-safe.
 */
final class FrequentKeys {
    static final Comparator<DeniedKey> MOST_DENIED =
            Comparator.comparingLong(DeniedKey::denied).reversed().thenComparing(DeniedKey::key);
    private static final Comparator<Counter> LEAST = Comparator.comparingLong(counter -> counter.queued);

    private final int capacity;
    private final Map<String, Counter> counters = new HashMap<>();
    private final PriorityQueue<Counter> queue = new PriorityQueue<>(LEAST);

    /** Counts for at most a number of keys. */
    FrequentKeys(int capacity) {
        this.capacity = capacity;
    }

    private static final class Counter {
        private final String key;
        private long denied;
        private long queued; // the count by which it is in the queue, at most the current one

        Counter(String key) {
            this.key = key;
        }
    }

    void add(String key) {
        Counter counter = counters.get(key);
        if (counter == null) {
            counter = new Counter(key);
            counter.denied = counters.size() < capacity ? 0 : evictLeast();
            counter.queued = counter.denied;
            counters.put(key, counter);
            queue.add(counter);
        }
        counter.denied++;
    }

    /** Removes the key with the least denials and returns them. Counters that grew since they were queued are queued again. */
    private long evictLeast() {
        Counter least = queue.remove();
        while (least.queued < least.denied) {
            least.queued = least.denied;
            queue.add(least);
            least = queue.remove();
        }
        counters.remove(least.key);
        return least.denied;
    }

    /** Returns the keys that were denied most, most denied first and then by key. */
    List<DeniedKey> top(int count) {
        return counters.values().stream()
                .map(counter -> new DeniedKey(counter.key, counter.denied))
                .sorted(MOST_DENIED)
                .limit(count)
                .toList();
    }
}
