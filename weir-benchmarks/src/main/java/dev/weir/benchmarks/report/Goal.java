package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Measure.Spread;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A goal and its result: our figure compared with a reference, or alone.
 *
 * @param what what is measured
 * @param against the reference; empty if there is none, and our figure itself is the goal
 * @param ratio our figure in units of the reference
 * @param better whether lower or higher is better
 * @param must the ratio that is required
 * @param aim the ratio that we consider possible
 */
public record Goal(
        String what,
        String unit,
        Spread ours,
        String against,
        @Nullable Spread reference,
        double ratio,
        Better better,
        double must,
        double aim) {
    private static final double SMALL = 0.1;
    private static final int DECIMALS = 2; // of a ratio that is not small; it is judged as it is shown
    private static final int JSON_DECIMALS = 3;

    /** The direction that is better. */
    public enum Better {
        /** Lower. */
        LOWER,
        /** Higher. */
        HIGHER
    }

    /** Creates a goal for our figure itself; lower is better. */
    static Goal alone(String what, String unit, Spread ours, double must, double aim) {
        return new Goal(what, unit, ours, "", null, ours.median(), Better.LOWER, must, aim);
    }

    /** Returns the goals for programs: a list of objects, one in each line. */
    public static String json(List<Goal> goals) {
        return goals.stream().map(Goal::json).collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private String json() {
        return String.format(
                Locale.ROOT,
                "{\"name\":\"%s\",\"ratio\":%s,\"must\":%s,\"aim\":%s,\"better\":\"%s\"}",
                name().replace("\\", "\\\\").replace("\"", "\\\""),
                Figure.decimals(ratio, JSON_DECIMALS + moreDecimals()),
                must,
                aim,
                better.name().toLowerCase(Locale.ROOT));
    }

    private String name() {
        return against.isEmpty() ? what : what + ", against " + against;
    }

    static MarkdownTable table(List<Goal> goals) {
        MarkdownTable table = new MarkdownTable("goal", "ours", "reference", "ratio", "must", "aim", "reached");
        for (Goal goal : goals) {
            String sign = goal.better == Better.LOWER ? "" : "≥ ";
            table.add(
                    goal.against.isEmpty() ? goal.what : goal.what + " / " + goal.against,
                    Figure.text(goal.ours, goal.unit),
                    goal.reference == null ? "" : Figure.text(goal.reference, goal.unit),
                    goal.shown(goal.ratio),
                    sign + goal.shown(goal.must),
                    sign + goal.shown(goal.aim),
                    goal.reaches(goal.aim) ? "aim" : goal.reaches(goal.must) ? "must" : "no");
        }
        return table;
    }

    /** A small ratio is shown with two more decimals. */
    private int moreDecimals() {
        return must < SMALL ? 2 : 0;
    }

    private String shown(double value) {
        return Figure.decimals(value, DECIMALS + moreDecimals());
    }

    private boolean reaches(double bound) {
        double tolerance = Math.pow(10, -(DECIMALS + moreDecimals())) / 2;
        return better == Better.LOWER ? ratio <= bound + tolerance : ratio >= bound - tolerance;
    }
}
