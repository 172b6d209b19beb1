package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Spread;
import java.util.List;

/** The goals for people: a row for each comparison. */
final class GoalsTable {
    /** A ratio is shown with two decimals, and judged as it is shown. */
    private static final double TOLERANCE = 0.005;

    private GoalsTable() {}

    static MarkdownTable of(List<GoalResult> results) {
        MarkdownTable table = new MarkdownTable("goal", "ours", "reference", "ratio", "must", "aim", "reached");
        for (GoalResult result : results) {
            for (Comparison comparison : result.comparisons()) {
                Spread reference = comparison.reference();
                table.add(
                        comparison.what() + (reference == null ? "" : " / " + comparison.against()),
                        comparison.unit().text(comparison.ours()),
                        reference == null ? "" : comparison.unit().text(reference),
                        Unit.ratio(comparison.ratio()),
                        comparison.counts() ? Unit.ratio(result.must()) : "",
                        Unit.ratio(result.aim()),
                        reached(result, comparison));
            }
        }
        return table;
    }

    private static String reached(GoalResult result, Comparison comparison) {
        if (comparison.ratio() <= result.aim() + TOLERANCE) {
            return "aim";
        } else if (!comparison.counts()) {
            return "no";
        }
        return comparison.ratio() <= result.must() + TOLERANCE ? "must" : "no";
    }
}
