package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Spread;
import java.util.List;

/** The goals for people: a row for each comparison. */
final class GoalsTable {
    /** With so many a ratio is shown, if it is not small. It is judged as it is shown. */
    private static final int DECIMALS = 2;

    private GoalsTable() {}

    static MarkdownTable of(List<GoalResult> results) {
        MarkdownTable table = new MarkdownTable("goal", "ours", "reference", "ratio", "must", "aim", "reached");
        for (GoalResult result : results) {
            for (Comparison comparison : result.comparisons()) {
                Spread reference = comparison.reference();
                String sign = result.better().sign();
                table.add(
                        comparison.what() + (reference == null ? "" : " / " + comparison.against()),
                        comparison.unit().text(comparison.ours()),
                        reference == null ? "" : comparison.unit().text(reference),
                        ratio(result, comparison.ratio()),
                        comparison.counts() ? sign + ratio(result, result.must()) : "",
                        sign + ratio(result, result.aim()),
                        reached(result, comparison));
            }
        }
        return table;
    }

    private static int decimals(GoalResult result) {
        return DECIMALS + result.moreDecimals();
    }

    private static String ratio(GoalResult result, double ratio) {
        return Unit.decimals(ratio, decimals(result));
    }

    private static String reached(GoalResult result, Comparison comparison) {
        double tolerance = Math.pow(10, -decimals(result)) / 2;
        if (result.better().reached(comparison.ratio(), result.aim(), tolerance)) {
            return "aim";
        } else if (!comparison.counts()) {
            return "no";
        }
        return result.better().reached(comparison.ratio(), result.must(), tolerance) ? "must" : "no";
    }
}
