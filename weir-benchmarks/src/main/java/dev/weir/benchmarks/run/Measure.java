package dev.weir.benchmarks.run;

import dev.weir.benchmarks.limiter.Contestant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One figure to be had: a scenario, by so many threads, under a collector.
 *
 * @param contestant whose; null of a floor
 */
public record Measure(Scenario scenario, @Nullable Contestant contestant, int threads, Collector collector) {

    /** A floor. */
    public static Measure floor(Scenario scenario, int threads, Collector collector) {
        return new Measure(scenario, null, threads, collector);
    }

    /** In words. */
    @Override
    public String toString() {
        String whose = contestant == null ? "" : contestant.title() + ", ";
        return String.format(
                Locale.ROOT,
                "%s: %s%d thread%s, %s",
                scenario.title(),
                whose,
                threads,
                threads == 1 ? "" : "s",
                collector.title());
    }
}
