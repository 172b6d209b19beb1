package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Spread;
import org.jspecify.annotations.Nullable;

/**
 * Ours beside a reference.
 *
 * @param what what is compared, in words
 * @param against what the reference is; empty if there is none
 * @param reference null if there is none, and the figure itself is the goal
 * @param counts whether the goal is decided by it; else it is only told
 */
public record Comparison(
        String what,
        Unit unit,
        Spread ours,
        String against,
        @Nullable Spread reference,
        boolean counts) {

    /** Ours in units of the reference, by their medians. */
    public double ratio() {
        return reference == null ? ours.median() : ours.median() / reference.median();
    }
}
