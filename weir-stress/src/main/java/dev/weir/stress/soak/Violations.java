package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What happened in a run that must not happen, in words: the number of violations, and the first few in full. Thread-safe. */
final class Violations implements Consumer<String> {
    /** Enough to end a run. */
    static final int ENOUGH = 1000;

    private static final int SHOWN = 5;

    private final List<String> first = new ArrayList<>(); // guarded by this
    private long count; // guarded by this

    @Override
    public synchronized void accept(String violation) {
        if (count++ < SHOWN) {
            first.add(violation);
        }
    }

    synchronized long count() {
        return count;
    }

    synchronized List<String> first() {
        return List.copyOf(first);
    }
}
