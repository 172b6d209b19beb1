package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.memory.Measure.Sample;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The report on invented figures, the same each time. */
final class MemoryReportTest {
    private static final List<Footprint> FOOTPRINTS = List.of(
            new Footprint("Weir", 99.96, 1_104_000, 1_000_000), new Footprint("Weir, 1 µs", 64, 8_004_000, 1_000_000));

    private final Report report = new MemoryReport(figures(), FOOTPRINTS).report("A machine");

    /** Weir takes 50 ns, Bucket4j 80, the next 90 and so on, the floors 40; with more threads all take 10 more. */
    private static Figures figures() {
        Figures figures = new Figures();
        for (Measure measure : new LinkedHashSet<>(Plan.goals().turns(Effort.SMOKE))) {
            double nanos = measure.threads() == 1 ? 0 : 10;
            if (measure.contestant() == null) {
                nanos += 40;
            } else if (measure.contestant() == Contestant.WEIR) {
                nanos += 50;
            } else {
                nanos += 80 + 10 * Contestant.peers().indexOf(measure.contestant());
            }
            for (int fork = -1; fork <= 1; fork++) {
                figures.add(measure, new Sample(nanos + fork, 56, 75, 25, 500 + fork, 5_000, 70_000 + fork));
            }
        }
        return figures;
    }

    private List<String> section(int number, String name) {
        Section section = report.sections().get(number);
        assertThat(section.name()).isEqualTo(name);
        return section.text().lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    @Test
    void report_json_isOneObjectInEachLine() {
        String json = Goal.json(report.goals());

        assertThat(json)
                .startsWith("[{\"name\":\"one key, below the limit, 1 thread, against Bucket4j\",\"ratio\":0.625,"
                        + "\"must\":1.05,\"aim\":0.95,\"better\":\"lower\"},\n {\"name\":")
                .endsWith("{\"name\":\"an idle key without its string\",\"ratio\":99.960,"
                        + "\"must\":120.0,\"aim\":90.0,\"better\":\"lower\"}]\n");
        assertThat(json.lines()).hasSize(18);
    }

    @Test
    void report_goals_areJudgedAsTheyAreShown() {
        assertThat(section(0, "goals"))
                .hasSize(2 + 2 + 18)
                .startsWith("A machine", "")
                .contains(
                        "| one key, allowed() only, 1 thread / Bucket4j | 50.0 ns (49.0–51.0) | 80.0 ns (79.0–81.0)"
                                + " | 0.63 | 1.05 | 0.95 | aim |",
                        "| waiting: a peek | 50.0 ns (49.0–51.0) | | 50.00 | 2000.00 | 1000.00 | aim |",
                        "| an entry at 1,000,000 a minute | 1.10 B | | 1.10 | 1.10 | 1.00 | must |",
                        "| an idle key without its string | 100.0 B | | 99.96 | 120.00 | 90.00 | must |")
                .anyMatch(line -> line.startsWith("| one key, denied, 2 threads") && line.endsWith("| no |"));
    }

    @Test
    void report_times_haveColumnForEachContestant() {
        assertThat(section(1, "times"))
                .contains(
                        "| ns a call (least–most) | Weir | Bucket4j | Resilience4j | Guava | Failsafe |",
                        "| one key, two limits: 1 thread, G1 | 50.0 (49.0–51.0) | 80.0 (79.0–81.0) | | | |",
                        "| one key, below the limit, each call timed: Weir, 4 threads, G1 | 500 | 5,000 | 70,001 |",
                        "| nanoTime, map get, a CAS and a new Decision, one key: 1 thread, G1 | 40.0 (39.0–41.0)"
                                + " | 1.25 (one key, below the limit), 1.25 (one key, two limits) |")
                .anyMatch(
                        line -> line.startsWith("| one key, at the limit: 2 threads, G1 | 60.0 (59.0–61.0), 25% den"));
        assertThat(section(2, "memory")).contains("| Weir, 1 µs | 64.0 | 8,004,000 | 8.00 |");
    }
}
