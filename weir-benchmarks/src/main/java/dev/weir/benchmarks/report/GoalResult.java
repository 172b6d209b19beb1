package dev.weir.benchmarks.report;

import java.util.List;

/**
 * A goal and what came of it. Less is better in all of them.
 *
 * @param name as it stands in the JSON
 * @param must the ratio that has to be reached
 * @param aim the ratio that is hoped for
 */
public record GoalResult(String name, double must, double aim, List<Comparison> comparisons) {

    /** The worst ratio of those that count. */
    public double ratio() {
        return comparisons.stream()
                .filter(Comparison::counts)
                .mapToDouble(Comparison::ratio)
                .max()
                .orElseThrow();
    }
}
