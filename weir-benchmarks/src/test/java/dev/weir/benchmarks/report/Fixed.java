package dev.weir.benchmarks.report;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Measure;
import dev.weir.benchmarks.run.Plan;
import dev.weir.benchmarks.run.Sample;
import java.time.LocalDate;
import java.util.List;

/** Made-up results, the same each time. */
final class Fixed {
    static final Machine MACHINE = new Machine("A processor", 2, "A JVM 17", LocalDate.of(2026, 11, 21), "0.10");
    static final String COMMAND = "./bench memory --quick";
    static final MemoryFigures MEMORY = new MemoryFigures(
            56,
            1_000_000,
            List.of(
                    new MemoryFigures.Row("Weir", 63.96, 1_050_000),
                    new MemoryFigures.Row("Weir, 1 µs", 64, 8_004_000),
                    new MemoryFigures.Row("Guava", 176, 264)));

    private Fixed() {}

    /** Weir takes 50 ns, Bucket4j 80, the next 90 and so on, the floors 40; with two threads all take 10 more. */
    static Figures figures() {
        Figures figures = new Figures();
        for (Measure measure : Plan.goals().measures()) {
            double nanos = measure.threads() == 1 ? 0 : 10;
            double bytes = 56;
            if (measure.contestant() == null) {
                nanos += 40;
                bytes = 0;
            } else if (measure.contestant() == Contestant.WEIR) {
                nanos += 50;
            } else {
                nanos += 80 + 10 * Contestant.peers().indexOf(measure.contestant());
            }
            for (int fork = -1; fork <= 1; fork++) {
                figures.add(measure, new Sample(nanos + fork, bytes, 75, 25));
            }
        }
        return figures;
    }

    static List<GoalResult> results() {
        return Goals.results(figures(), MEMORY);
    }
}
