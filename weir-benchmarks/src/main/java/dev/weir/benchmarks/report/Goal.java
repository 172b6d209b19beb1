package dev.weir.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A goal and its result: our figure compared with a reference, or alone. The direction from {@code must} to {@code aim} is the one
 * that is better.
 *
 * @param what what is measured
 * @param against the reference; empty if there is none, and our figure itself is the goal
 * @param ratio our figure in units of the reference
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
        double must,
        double aim) {
    private static final double SMALL = 0.1;
    private static final int DECIMALS = 2; // of a ratio that is not small; it is judged as it is shown
    private static final int JSON_DECIMALS = 3;

    /** Creates a goal for our figure itself. */
    public static Goal alone(String what, String unit, Spread ours, double must, double aim) {
        return new Goal(what, unit, ours, "", null, ours.median(), must, aim);
    }

    private boolean isLowerBetter() {
        return aim < must;
    }

    /** Returns the goals for programs: a list of objects, one in each line. */
    public static String json(List<Goal> goals) {
        return goals.stream().map(Goal::json).collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private String json() {
        String name = (against.isEmpty() ? what : what + ", against " + against).replaceAll("[\\\\\"]", "\\\\$0");
        return "{\"name\":\"" + name + "\",\"ratio\":" + decimals(ratio, JSON_DECIMALS) + ",\"must\":" + must
                + ",\"aim\":" + aim + ",\"better\":\"" + (isLowerBetter() ? "lower" : "higher") + "\"}";
    }

    /** Returns the goals for readers. */
    public static Table table(List<Goal> goals) {
        Table table = new Table(List.of("goal", "ours", "reference", "ratio", "must", "aim", "reached"));
        for (Goal goal : goals) {
            String sign = goal.isLowerBetter() ? "" : "≥ ";
            table.add(List.of(
                    goal.against.isEmpty() ? goal.what : goal.what + " / " + goal.against,
                    goal.ours.text(goal.unit),
                    goal.reference == null ? "" : goal.reference.text(goal.unit),
                    goal.decimals(goal.ratio, DECIMALS),
                    sign + goal.decimals(goal.must, DECIMALS),
                    sign + goal.decimals(goal.aim, DECIMALS),
                    goal.reaches(goal.aim) ? "aim" : goal.reaches(goal.must) ? "must" : "no"));
        }
        return table;
    }

    private String decimals(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + (decimals + moreDecimals()) + "f", value);
    }

    /** A small ratio is shown with two more decimals. */
    private int moreDecimals() {
        return must < SMALL ? 2 : 0;
    }

    private boolean reaches(double bound) {
        double tolerance = Math.pow(10, -(DECIMALS + moreDecimals())) / 2;
        return isLowerBetter() ? ratio <= bound + tolerance : ratio >= bound - tolerance;
    }
}
