package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.run.Spread;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class TablesTest {

    private static List<String> lines(MarkdownTable table) {
        return table.text().lines().toList();
    }

    @Test
    void goals_fixedResults_haveRowForEachComparison() {
        List<String> lines = lines(GoalsTable.of(Fixed.results()));

        assertThat(lines).hasSize(2 + 15);
        assertThat(lines.get(0))
                .matches("\\| goal +\\| +ours \\| +reference \\| +ratio \\| +must \\| +aim \\| reached \\|");
        assertThat(lines.get(1)).matches("\\| :-+ (\\| -+: ){6}\\|");
        assertThat(lines.get(2).replaceAll(" +", " "))
                .isEqualTo("| one key, below the limit, 1 thread / nanoTime and a CAS of its own"
                        + " | 50.0 ns (49.0–51.0) | 40.0 ns (39.0–41.0) | 1.25 | 1.50 | 1.15 | must |");
        assertThat(lines).filteredOn(line -> line.contains("denied, 2 threads")).hasSize(1);
    }

    @Test
    void goals_ratio_isJudgedAsItIsShown() {
        List<String> lines = lines(GoalsTable.of(Fixed.results()));

        assertThat(lines).anyMatch(line -> line.matches(".*1 µs .* 8\\.00 \\|  *8\\.00 .*must \\|"));
        assertThat(lines).anyMatch(line -> line.matches(".*idle key.* aim \\|"));
        assertThat(lines).anyMatch(line -> line.matches(".*not escape .* 1\\.00 \\| +\\| +0\\.00 \\| +no \\|"));
    }

    @Test
    void times_fixedResults_haveColumnForEachContestant() {
        List<String> lines = lines(new ScenarioTables(Fixed.figures()).times());

        assertThat(lines.get(0).replaceAll(" +", " "))
                .isEqualTo("| ns a call (least–most) | Weir | Bucket4j | Resilience4j | Guava | Failsafe |");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.replaceAll(" +", " "))
                        .startsWith("| one key, at the limit: 2 threads, G1 | 60.0 (59.0–61.0), 25% denied | 90.0 "));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.replaceAll(" +", " "))
                        .isEqualTo("| one key, denied: 1 thread, G1 | 50.0 (49.0–51.0) | | | | |"));
    }

    @Test
    void floors_fixedResults_areThere() {
        assertThat(lines(new ScenarioTables(Fixed.figures()).floors()))
                .hasSize(2 + 6)
                .anyMatch(line -> line.startsWith("| System.nanoTime: 2 threads, G1") && line.contains(" 50.0 (49"));
    }

    @Test
    void memory_fixedResults_haveRowForEachLimiter() {
        assertThat(lines(MemoryTable.of(Fixed.MEMORY)))
                .hasSize(2 + 3)
                .anySatisfy(line ->
                        assertThat(line.replaceAll(" +", " ")).isEqualTo("| Weir, 1 µs | 64.0 | 8,004,000 | 8.00 |"));
    }

    @Test
    void add_wrongNumberOfCells_isRefused() {
        assertThatThrownBy(() -> new MarkdownTable("a", "b").add("c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("row must have 2 cells, had 1");
    }

    @Test
    void text_figures_areShortInAnyLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(Unit.NANOS.text(new Spread(38.24, 37, 41.06))).isEqualTo("38.2 ns (37.0–41.1)");
            assertThat(Unit.NANOS.text(new Spread(1234.4, 99.94, 2000))).isEqualTo("1,234 ns (99.9–2,000)");
            assertThat(Unit.BYTES.text(Spread.exactly(1.054))).isEqualTo("1.05 B");
            assertThat(Unit.BYTES.text(new Spread(56.003, 56.001, 56.004))).isEqualTo("56.0 B");
            assertThat(Unit.ratio(1.005)).startsWith("1.0");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void machine_here_isDescribed() {
        assertThat(Machine.here().header("./bench memory"))
                .matches("\\S.*, \\d+ cores; .*; 20.*; load .* at the start; `./bench memory`\n");
    }
}
