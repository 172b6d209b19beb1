package dev.weir.benchmarks.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** The median of some figures, and the least and the most of them. */
public record Spread(double median, double least, double most) {
    private static final double FEW = 10;
    private static final double SOME = 100;

    /** Returns the spread of at least one figure. */
    public static Spread of(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("there must be at least 1 figure, were none");
        }
        int last = sorted.length - 1;
        return new Spread((sorted[last / 2] + sorted[(last + 1) / 2]) / 2, sorted[0], sorted[last]);
    }

    /** Returns the median in microseconds of times in nanoseconds. Sorts the array. */
    public static double medianMicros(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e3;
    }

    /** Returns the spread of a figure that is exact. */
    public static Spread exactly(double figure) {
        return new Spread(figure, figure, figure);
    }

    /** Returns the median with its unit, and the range if it can be seen: {@code 38.2 ns (37.9–40.1)}. */
    public String text(String unit) {
        String from = number(least);
        String to = number(most);
        return (number(median) + " " + unit).strip() + (from.equals(to) ? "" : " (" + from + "–" + to + ")");
    }

    /** Returns a figure as text, with more decimals the smaller it is. */
    public static String number(double figure) {
        return String.format(Locale.ROOT, figure >= SOME ? "%,.0f" : figure < FEW ? "%.2f" : "%.1f", figure);
    }
}
