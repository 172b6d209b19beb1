package dev.weir.benchmarks.run;

import dev.weir.benchmarks.limiter.Contestant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One thing to measure: a scenario, by a number of threads, under a garbage collector.
 *
 * @param contestant the limiter; null for a floor
 */
public record Measure(Scenario scenario, @Nullable Contestant contestant, int threads, Collector collector) {

    /** A garbage collector of the JVM. */
    public enum Collector {
        /** The default on a server. */
        G1,
        /** The one with the cheapest write barrier that uses more than one thread. */
        PARALLEL;

        String title() {
            return this == G1 ? "G1" : "Parallel";
        }

        String option() {
            return "-XX:+Use" + title() + "GC";
        }
    }

    /** What has to have happened in a scenario for its name to be true. */
    public enum Expectation {
        /** No request was decided. */
        NOTHING,
        /** Every request was admitted. */
        ALL_ALLOWED,
        /** Some requests were admitted and some denied. */
        SOME_OF_EACH,
        /** Every request was denied. */
        ALL_DENIED;

        boolean holds(long allowed, long denied) {
            return switch (this) {
                case NOTHING -> allowed == 0 && denied == 0;
                case ALL_ALLOWED -> allowed > 0 && denied == 0;
                case SOME_OF_EACH -> allowed > 0 && denied > 0;
                case ALL_DENIED -> allowed == 0 && denied > 0;
            };
        }
    }

    /**
     * What one fork measured.
     *
     * @param nanos the mean time of a call
     * @param bytes allocated in a call
     * @param allowed the number of admitted requests
     * @param denied the number of denied requests
     * @param tail the time that one call in 1,000 exceeds, in 10,000, and the longest; all 0 if only the mean was measured
     */
    public record Sample(double nanos, double bytes, long allowed, long denied, Tail tail) {}

    /** The slow calls, in nanoseconds. */
    public record Tail(double p999, double p9999, double longest) {
        /** Not measured. */
        public static final Tail NONE = new Tail(0, 0, 0);
    }

    /** The median of some figures, and the least and the most of them. */
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

        /** Of a figure that is exact. */
        public static Spread exactly(double figure) {
            return new Spread(figure, figure, figure);
        }
    }

    /** Creates the measure of a floor. */
    public static Measure floor(Scenario scenario, int threads, Collector collector) {
        return new Measure(scenario, null, threads, collector);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s: %s%d thread%s, %s",
                scenario.title(),
                contestant == null ? "" : contestant.title() + ", ",
                threads,
                threads == 1 ? "" : "s",
                collector.title());
    }
}
