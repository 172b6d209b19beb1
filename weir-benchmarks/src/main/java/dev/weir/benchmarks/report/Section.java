package dev.weir.benchmarks.report;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.redis.RedisContestant;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.redis.Rounds;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Measure;
import dev.weir.benchmarks.run.Measure.Tail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A part of the report, which has its own place on a page: between the comments {@code bench: NAME} and {@code bench: end}.
 *
 * @param name the name of its place
 */
public record Section(String name, String text) {
    /** The places that a page must have for what is measured in memory. */
    public static final List<String> MEMORY = List.of("goals", "times", "memory");
    /** The places that a page must have for what is measured on Redis. */
    public static final List<String> REDIS = List.of("redis-goals", "redis");

    private static final String END = "<!-- bench: end -->";

    /** Returns the report on limiters in memory. */
    public static List<Section> inMemory(
            Machine machine, String command, List<Goal> goals, Figures figures, MemoryFigures memory) {
        String header = machine.header(command) + "\n";
        return List.of(
                new Section("goals", header + Goal.table(goals).text()),
                new Section(
                        "times",
                        header
                                + byContestant(
                                                figures,
                                                "ns a call (least–most)",
                                                row -> true,
                                                each -> time(figures, each))
                                        .text()
                                + "\n"
                                + tails(figures).text()
                                + "\n"
                                + floors(figures).text()),
                new Section(
                        "memory",
                        header + memory(memory).text() + "\n"
                                + byContestant(
                                                figures,
                                                "bytes allocated a call",
                                                row -> row.threads() == 1,
                                                each -> Figure.number(
                                                        figures.bytes(each).median()))
                                        .text()));
    }

    /** Returns the report on limiters on Redis. */
    public static List<Section> onRedis(Machine machine, String command, List<Goal> goals, RedisFigures figures) {
        String header = machine.header("Redis " + figures.server, command) + "\n";
        return List.of(
                new Section("redis-goals", header + Goal.table(goals).text()),
                new Section("redis", header + redis(figures).text()));
    }

    /** A row for each scenario with its threads and collector, a column for each contestant. */
    private static MarkdownTable byContestant(
            Figures figures, String what, Predicate<Measure> wanted, Function<Measure, String> text) {
        List<String> header = new ArrayList<>(List.of(what));
        Stream.of(Contestant.values()).forEach(contestant -> header.add(contestant.title()));
        MarkdownTable table = new MarkdownTable(header);
        for (Measure row : rows(figures)) {
            if (wanted.test(row) && !row.scenario().isTail()) {
                List<String> cells = new ArrayList<>(List.of(row.toString()));
                for (Contestant contestant : Contestant.values()) {
                    Measure measure = new Measure(row.scenario(), contestant, row.threads(), row.collector());
                    cells.add(figures.has(measure) ? text.apply(measure) : "");
                }
                table.add(cells);
            }
        }
        return table;
    }

    private static Set<Measure> rows(Figures figures) {
        return figures.measures().stream()
                .filter(measure -> measure.contestant() != null)
                .map(measure -> new Measure(measure.scenario(), null, measure.threads(), measure.collector()))
                .sorted(Comparator.comparing(Measure::scenario)
                        .thenComparing(Measure::collector)
                        .thenComparing(Measure::threads))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String time(Figures figures, Measure measure) {
        String text = Figure.text(figures.nanos(measure));
        return measure.scenario().isMixed()
                ? text + String.format(Locale.ROOT, ", %.0f%% denied", 100 * figures.deniedShare(measure))
                : text;
    }

    private static MarkdownTable tails(Figures figures) {
        MarkdownTable table = new MarkdownTable("slow calls, ns", "p99.9", "p99.99", "longest");
        for (Measure measure : figures.measures()) {
            if (measure.scenario().isTail()) {
                Tail tail = figures.tail(measure);
                table.add(
                        measure.toString(),
                        Figure.number(tail.p999()),
                        Figure.number(tail.p9999()),
                        Figure.number(tail.longest()));
            }
        }
        return table;
    }

    private static MarkdownTable floors(Figures figures) {
        MarkdownTable table = new MarkdownTable("floor, ns a call (least–most)", "");
        for (Measure measure : figures.measures()) {
            if (measure.contestant() == null) {
                table.add(measure.toString(), time(figures, measure));
            }
        }
        return table;
    }

    private static MarkdownTable memory(MemoryFigures memory) {
        String entries = String.format(Locale.ROOT, "%,d", memory.entriesPerKey());
        MarkdownTable table =
                new MarkdownTable("bytes", "an idle key", "a key with " + entries + " in a minute", "an entry");
        for (MemoryFigures.Row row : memory.rows()) {
            table.add(
                    row.title(),
                    Figure.number(row.idleKeyBytes()),
                    String.format(Locale.ROOT, "%,d", row.busyKeyBytes()),
                    Figure.decimals(memory.bytesPerEntry(row), 2));
        }
        return table;
    }

    private static MarkdownTable redis(RedisFigures figures) {
        List<String> header = new ArrayList<>(List.of("median of the rounds (least–most)"));
        Stream.of(RedisContestant.values()).forEach(contestant -> header.add(contestant.title()));
        MarkdownTable table = new MarkdownTable(header);
        row(table, "sync p50, admitted, µs", figures.admittedMicros);
        row(table, "sync p50, denied on the server, µs", figures.deniedMicros);
        row(table, "one hot key, 256 in flight, decisions a second", figures.hotKeyPerSecond);
        row(table, "distinct keys, 256 in flight, decisions a second", figures.keysPerSecond);
        row(table, "the same, server CPU a decision, µs", figures.keysCpuMicros);
        row(table, "denied again and again, million decisions a second a core", figures.deniedMillions);
        row(table, "the same, Redis calls per permit granted", figures.scriptsPerPermit);
        row(table, "bytes an entry of a large log, 1 µs", figures.entryBytes);
        row(table, "the same, default resolution", figures.coarseEntryBytes);
        return table;
    }

    private static void row(MarkdownTable table, String what, Rounds rounds) {
        List<String> cells = new ArrayList<>(List.of(what));
        for (RedisContestant contestant : RedisContestant.values()) {
            cells.add(rounds.has(contestant) ? Figure.text(rounds.of(contestant)) : "");
        }
        table.add(cells);
    }

    /** Returns a page with every section in its place; other places are not changed. */
    static String filled(String page, List<Section> sections) {
        String filled = page;
        for (Section section : sections) {
            String start = start(section.name);
            int from = filled.indexOf(start) + start.length();
            int to = filled.indexOf(END, from);
            filled = filled.substring(0, from) + "\n\n" + section.text + "\n" + filled.substring(to);
        }
        return filled;
    }

    /** Writes sections into their places. */
    public static void fill(Path page, List<Section> sections) throws IOException {
        Files.writeString(page, filled(Files.readString(page), sections));
    }

    static boolean hasPlaces(String page, List<String> names) {
        return names.stream().allMatch(name -> {
            int start = page.indexOf(start(name));
            return start >= 0 && page.indexOf(END, start) >= 0;
        });
    }

    /** Whether a page can be read and has a place for each of these sections. */
    public static boolean hasPlaces(Path page, List<String> names) {
        try {
            return hasPlaces(Files.readString(page), names);
        } catch (IOException e) {
            return false;
        }
    }

    private static String start(String name) {
        return "<!-- bench: " + name + " -->";
    }
}
