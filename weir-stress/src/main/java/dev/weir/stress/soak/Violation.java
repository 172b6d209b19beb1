package dev.weir.stress.soak;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something that must not happen.
 *
 * @param what in words
 * @param key the key
 * @param limit the limit of that call, null if it is not about one
 * @param stamps what was recorded
 */
record Violation(String what, String key, @Nullable Limit limit, List<String> stamps) {
    @Override
    public String toString() {
        return what + ", key " + key + ", limit " + limit
                + (stamps.isEmpty() ? "" : "\n    " + String.join("\n    ", stamps));
    }

    /** All violations of a run: their number, and the first few in full. Thread-safe. */
    static final class Collector implements Consumer<Violation> {
        /** Enough to end a run. */
        static final int ENOUGH = 1000;

        private static final int SHOWN = 5;

        private final List<Violation> first = new ArrayList<>(); // guarded by this
        private long count; // guarded by this

        @Override
        public synchronized void accept(Violation violation) {
            if (count++ < SHOWN) {
                first.add(violation);
            }
        }

        synchronized long count() {
            return count;
        }

        synchronized List<Violation> first() {
            return List.copyOf(first);
        }
    }
}
