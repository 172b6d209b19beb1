package dev.weir.benchmarks.report;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.run.Expectation;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Measure;
import dev.weir.benchmarks.run.Scenario;
import dev.weir.benchmarks.run.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All that was measured: a row for each scenario, a column for each contestant. */
final class ScenarioTables {
    private final Figures figures;

    ScenarioTables(Figures figures) {
        this.figures = figures;
    }

    /** The times of a call, with what was denied where only some was. */
    MarkdownTable times() {
        MarkdownTable table = byContestant("ns a call (least–most)");
        Set<Measure> rows = rows();
        for (Measure row : rows) {
            table.add(cells(row.toString(), row, this::time));
        }
        return table;
    }

    /** The times of the floors. */
    MarkdownTable floors() {
        MarkdownTable table = new MarkdownTable("floor, ns a call (least–most)", "");
        for (Measure measure : figures.measures()) {
            if (measure.contestant() == null) {
                table.add(measure.toString(), time(measure));
            }
        }
        return table;
    }

    /** The bytes allocated in a call, where one thread calls. */
    MarkdownTable allocation() {
        MarkdownTable table = byContestant("bytes allocated a call");
        for (Measure row : rows()) {
            if (row.threads() == 1) {
                table.add(cells(
                        row.toString(),
                        row,
                        measure -> Unit.number(figures.bytes(measure).median())));
            }
        }
        return table;
    }

    private static MarkdownTable byContestant(String what) {
        List<String> header = new ArrayList<>();
        header.add(what);
        for (Contestant contestant : Contestant.values()) {
            header.add(contestant.title());
        }
        return new MarkdownTable(header);
    }

    /** Each scenario with its threads and its collector, without contestant. */
    private Set<Measure> rows() {
        return figures.measures().stream()
                .filter(measure -> measure.contestant() != null)
                .map(measure -> new Measure(measure.scenario(), null, measure.threads(), measure.collector()))
                .sorted(Comparator.comparing(Measure::scenario)
                        .thenComparing(Measure::collector)
                        .thenComparing(Measure::threads))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private List<String> cells(String title, Measure row, Function<Measure, String> text) {
        List<String> cells = new ArrayList<>();
        cells.add(title);
        for (Contestant contestant : Contestant.values()) {
            Measure measure = new Measure(row.scenario(), contestant, row.threads(), row.collector());
            cells.add(figures.has(measure) ? text.apply(measure) : "");
        }
        return cells;
    }

    private String time(Measure measure) {
        Spread nanos = figures.nanos(measure);
        String text =
                Unit.number(nanos.median()) + " (" + Unit.number(nanos.least()) + "–" + Unit.number(nanos.most()) + ")";
        Scenario scenario = measure.scenario();
        return scenario.expectation() == Expectation.SOME_OF_EACH
                ? text + String.format(Locale.ROOT, ", %.0f%% denied", 100 * figures.deniedShare(measure))
                : text;
    }
}
