package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ReportTest {
    @Test
    void filled_places_haveTheirSections() {
        String page = """
                # A

                <!-- bench: goals -->
                old
                <!-- bench: end -->
                B
                <!-- bench: x -->
                <!-- bench: end -->
                """;

        String filled = Section.filled(page, List.of(new Section("x", "X\n"), new Section("goals", "G\n")));

        assertThat(filled).isEqualTo("""
                # A

                <!-- bench: goals -->

                G

                <!-- bench: end -->
                B
                <!-- bench: x -->

                X

                <!-- bench: end -->
                """);
        assertThat(Section.filled(filled, List.of(new Section("x", "X\n")))).isEqualTo(filled);
        assertThat(Section.hasPlaces(page, List.of("goals", "x"))).isTrue();
        assertThat(Section.hasPlaces(page, List.of("times"))).isFalse();
    }

    @Test
    void text_figures_areShortInAnyLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(new Spread(38.24, 37, 41.06).text("ns")).isEqualTo("38.2 ns (37.0–41.1)");
            assertThat(new Spread(1234.4, 99.94, 2000).text("")).isEqualTo("1,234 (99.9–2,000)");
            assertThat(new Spread(56.003, 56.001, 56.004).text("B")).isEqualTo("56.0 B");
        } finally {
            Locale.setDefault(before);
        }
        assertThat(Machine.header("./bench memory"))
                .matches("\\S.*, \\d+ cores; .*; 20.*; load .* at the start; `./bench memory`");
    }

    @Test
    void table_cells_areAlignedInColumns() {
        Table table = new Table(List.of("a", "bcde"));
        table.add(List.of("first", "1"));

        assertThat(table).hasToString("""
                | a     | bcde |
                | :---- | ---: |
                | first |    1 |
                """);
        assertThatThrownBy(() -> table.add(List.of("c"))).hasMessage("row must have 2 cells, had 1");
    }

    @Test
    void json_noGoals_isEmptyList() {
        assertThat(Goal.json(List.of())).isEqualTo("[]\n");
    }
}
