package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Spread;
import org.jspecify.annotations.Nullable;

/**
 * Ours beside a reference.
 *
 * @param what what is compared, in words
 * @param against what the reference is; empty if there is none
 * @param reference null if there is none, and the figure itself is the goal
 * @param ratio ours in units of the reference
 * @param counts whether the goal is decided by it; else it is only told
 */
public record Comparison(
        String what,
        Unit unit,
        Spread ours,
        String against,
        @Nullable Spread reference,
        double ratio,
        boolean counts) {

    /** By the medians of both. */
    static Comparison ofMedians(String what, Unit unit, Spread ours, String against, Spread reference, boolean counts) {
        return new Comparison(what, unit, ours, against, reference, ours.median() / reference.median(), counts);
    }

    /** The figure itself, without a reference. */
    static Comparison alone(String what, Unit unit, Spread ours) {
        return new Comparison(what, unit, ours, "", null, ours.median(), true);
    }
}
