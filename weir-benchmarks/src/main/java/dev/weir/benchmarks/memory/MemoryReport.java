package dev.weir.benchmarks.memory;

import dev.weir.benchmarks.memory.Measure.Collector;
import dev.weir.benchmarks.memory.Measure.Expectation;
import dev.weir.benchmarks.memory.Measure.Sample;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Spread;
import dev.weir.benchmarks.report.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The goals in memory, measured under G1, the default on a server, and the tables of all figures. */
record MemoryReport(Figures figures, List<Footprint> footprints) {

    Report report(String header) {
        List<Goal> goals = goals();
        String times =
                byContestant(row -> true, "ns a call (least–most)", this::time) + "\n" + tails() + "\n" + floors();
        String bytes = footprintTable() + "\n"
                + byContestant(
                        row -> row.threads() == 1,
                        "bytes allocated a call",
                        each -> Spread.number(figures.of(each, Sample::bytes).median()));
        return new Report(
                goals,
                new Section("goals", header + "\n\n" + Goal.table(goals)),
                new Section("times", header + "\n\n" + times),
                new Section("memory", header + "\n\n" + bytes));
    }

    private List<Goal> goals() {
        Footprint weir = footprints.get(0);
        return List.of(
                peer(Scenario.BELOW, 1, 1.05, 0.95),
                peer(Scenario.ALLOWED_ONLY, 1, 1.05, 0.95),
                peer(Scenario.BELOW, 2, 1.1, 0.9),
                peer(Scenario.AT_LIMIT, 2, 0.8, 0.7),
                peer(Scenario.DENIED, 1, 0.9, 0.8),
                peer(Scenario.DENIED, 2, 0.3, 0.2),
                peer(Scenario.KEYS_100K, 1, 1.1, 0.8),
                peer(Scenario.KEYS_100K, 2, 1.1, 0.8),
                peer(Scenario.KEYS_1M, 1, 1.1, 0.8),
                peer(Scenario.KEYS_1M, 2, 1.1, 0.8),
                peer(Scenario.TWO_LIMITS, 1, 0.7, 0.5),
                peer(Scenario.TWO_LIMITS, 2, 0.7, 0.5),
                waiting(Scenario.WAITING_ADMISSION),
                waiting(Scenario.WAITING_DENIAL),
                waiting(Scenario.WAITING_PEEK),
                waiting(Scenario.WAITING_RESERVATION),
                Goal.alone("an entry at 1,000,000 a minute", "B", Spread.exactly(weir.bytesPerEntry()), 1.1, 1),
                Goal.alone("an idle key without its string", "B", Spread.exactly(weir.idleKeyBytes()), 120, 90));
    }

    /** Compares with the fastest peer of the same run. */
    private Goal peer(Scenario scenario, int threads, double must, double aim) {
        Measure peer = figures.fastestPeer(scenario, threads, Collector.G1);
        Spread ours = figures.nanos(new Measure(scenario, Contestant.WEIR, threads, Collector.G1));
        Spread theirs = figures.nanos(peer);
        String what = scenario.title + ", " + peer.threadsText();
        String against = Objects.requireNonNull(peer.contestant()).title;
        return new Goal(what, "ns", ours, against, theirs, ours.median() / theirs.median(), must, aim);
    }

    private Goal waiting(Scenario scenario) {
        Spread nanos = figures.nanos(new Measure(scenario, Contestant.WEIR, 1, Collector.G1));
        return Goal.alone(scenario.title, "ns", nanos, 2_000, 1_000);
    }

    /** A row for each scenario with its threads and collector, a column for each contestant. */
    private Table byContestant(Predicate<Measure> wanted, String what, Function<Measure, String> text) {
        Stream<String> titles = Stream.of(Contestant.values()).map(each -> each.title);
        Table table = new Table(Stream.concat(Stream.of(what), titles).toList());
        figures.measures().stream()
                .filter(measure ->
                        measure.contestant() != null && !measure.scenario().isTail())
                .map(measure -> measure.by(null))
                .filter(wanted)
                .distinct()
                .sorted(Comparator.comparing(Measure::scenario)
                        .thenComparing(Measure::collector)
                        .thenComparing(Measure::threads))
                .forEach(row -> {
                    Stream<String> cells = Stream.of(Contestant.values())
                            .map(row::by)
                            .map(measure -> figures.has(measure) ? text.apply(measure) : "");
                    table.add(Stream.concat(Stream.of(row.toString()), cells).toList());
                });
        return table;
    }

    private String time(Measure measure) {
        String text = figures.nanos(measure).text("");
        return measure.scenario().expectation == Expectation.SOME_OF_EACH
                ? text + String.format(Locale.ROOT, ", %.0f%% denied", 100 * figures.deniedShare(measure))
                : text;
    }

    private Table tails() {
        Table table = new Table(List.of("slow calls, ns", "p99.9", "p99.99", "longest"));
        for (Measure measure : figures.measures()) {
            if (measure.scenario().isTail()) {
                table.add(List.of(
                        measure.toString(),
                        Spread.number(figures.of(measure, Sample::p999).median()),
                        Spread.number(figures.of(measure, Sample::p9999).median()),
                        Spread.number(figures.of(measure, Sample::longest).most())));
            }
        }
        return table;
    }

    private Table floors() {
        Table table = new Table(List.of("floor, ns a call (least–most)", "", "Weir / floor"));
        for (Measure measure : figures.measures()) {
            if (measure.contestant() == null) {
                table.add(List.of(measure.toString(), time(measure), overFloor(measure)));
            }
        }
        return table;
    }

    /** Returns how many times as long Weir takes for what needs at least this. */
    private String overFloor(Measure floor) {
        return Stream.of(Scenario.values())
                .filter(scenario -> scenario.floor() == floor.scenario())
                .map(scenario -> new Measure(scenario, Contestant.WEIR, floor.threads(), floor.collector()))
                .filter(figures::has)
                .map(weir -> String.format(
                        Locale.ROOT,
                        "%.2f (%s)",
                        figures.nanos(weir).median() / figures.nanos(floor).median(),
                        weir.scenario().title))
                .collect(Collectors.joining(", "));
    }

    private Table footprintTable() {
        String busy = String.format(
                Locale.ROOT, "a key with %,d in a minute", footprints.get(0).entries());
        Table table = new Table(List.of("bytes", "an idle key", busy, "an entry"));
        for (Footprint footprint : footprints) {
            table.add(List.of(
                    footprint.title(),
                    Spread.number(footprint.idleKeyBytes()),
                    String.format(Locale.ROOT, "%,d", footprint.busyKeyBytes()),
                    String.format(Locale.ROOT, "%.2f", footprint.bytesPerEntry())));
        }
        return table;
    }
}
