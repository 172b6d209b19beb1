package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What should not have happened: how often, and the first few in full. Thread-safe. */
final class Findings implements Consumer<Violation> {
    /** So many are enough to end a run. */
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
