package dev.weir.benchmarks.run;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The middle of some figures, and the least and the most of them. */
public record Spread(double median, double least, double most) {

    /** Of at least one figure. */
    public static <T> Spread of(Collection<T> of, ToDoubleFunction<T> figure) {
        double[] sorted = of.stream().mapToDouble(figure).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("there must be at least 1 figure, were none");
        }
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Spread(median, sorted[0], Arrays.stream(sorted).max().orElseThrow());
    }

    /** A figure that is exact. */
    public static Spread exactly(double figure) {
        return new Spread(figure, figure, figure);
    }
}
