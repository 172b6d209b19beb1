package dev.weir.benchmarks.report;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A goal and what came of it.
 *
 * @param name as it stands in the JSON
 * @param better which way is the good one
 * @param must the ratio that has to be reached
 * @param aim the ratio that is hoped for
 */
public record GoalResult(String name, Better better, double must, double aim, List<Comparison> comparisons) {

    private static final double SMALL = 0.1;

    /** How many decimals more than usual its ratio is shown with: two, where the bound is small. */
    int moreDecimals() {
        return must < SMALL ? 2 : 0;
    }

    /** The worst ratio of those that count. */
    public double ratio() {
        DoubleStream ratios = comparisons.stream().filter(Comparison::counts).mapToDouble(Comparison::ratio);
        return (better == Better.LOWER ? ratios.max() : ratios.min()).orElseThrow();
    }
}
