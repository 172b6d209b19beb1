package dev.weir.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of one key, by their text before the first {@code *}: a search reads only those whose text begins the value, so
 * thousands of patterns that begin differently cost little. Not thread-safe while patterns are added.
 */
final class Patterns<T> {
    private final Map<String, List<Entry<T>>> byPrefix = new HashMap<>();
    private final SortedSet<Integer> prefixLengths = new TreeSet<>();
    private int size;

    /**
     * A pattern.
     *
     * @param order its position in the file
     * @param node the node of the pattern
     */
    record Entry<T>(int order, Wildcard wildcard, T node) {}

    /** Adds a pattern after those that are there. */
    void add(Wildcard wildcard, T node) {
        String prefix = wildcard.prefix();
        byPrefix.computeIfAbsent(prefix, absent -> new ArrayList<>()).add(new Entry<>(size++, wildcard, node));
        prefixLengths.add(prefix.length());
    }

    /** Returns the first pattern in the file that matches the value, or null if none does. */
    @Nullable
    Entry<T> first(String value) {
        Entry<T> first = null;
        for (int length : prefixLengths) {
            if (length > value.length()) {
                break;
            }
            Entry<T> found = firstOf(byPrefix.getOrDefault(value.substring(0, length), List.of()), value);
            if (found != null && (first == null || found.order < first.order)) {
                first = found;
            }
        }
        return first;
    }

    private static <T> @Nullable Entry<T> firstOf(List<Entry<T>> entries, String value) {
        for (Entry<T> entry : entries) {
            if (entry.wildcard.matches(value)) {
                return entry;
            }
        }
        return null;
    }
}
