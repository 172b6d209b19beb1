package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.redis.RedisContestant;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.redis.Rounds;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Measure;
import dev.weir.benchmarks.run.Measure.Sample;
import dev.weir.benchmarks.run.Measure.Spread;
import dev.weir.benchmarks.run.Measure.Tail;
import dev.weir.benchmarks.run.Plan;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The report on invented figures, the same each time. */
final class ReportTest {
    private static final Machine MACHINE =
            new Machine("A processor", 2, "A JVM 17", LocalDate.of(2026, 11, 21), "0.10");
    private static final MemoryFigures MEMORY = new MemoryFigures(
            56,
            1_000_000,
            List.of(
                    new MemoryFigures.Row("Weir", 99.96, 1_104_000),
                    new MemoryFigures.Row("Weir, 1 µs", 64, 8_004_000),
                    new MemoryFigures.Row("Guava", 176, 264)));
    private static final RedisFigures REDIS = redis();

    private static RedisFigures redis() {
        RedisFigures figures = new RedisFigures("7.0.15");
        add(figures.admittedMicros, 10, 11, 15, 20, 22);
        add(figures.deniedMicros, 10, 14, 15, 20, 9);
        add(figures.hotKeyPerSecond, Double.NaN, 900_000, 40_000, 20_000, 240);
        add(figures.keysPerSecond, Double.NaN, 50_000, 40_000, 20_000, 10_000);
        add(figures.keysCpuMicros, Double.NaN, 8, 10, 20, 30);
        add(figures.deniedMillions, Double.NaN, 25);
        add(figures.scriptsPerPermit, Double.NaN, 1.06);
        add(figures.entryBytes, Double.NaN, 3.5, 118, 60, 0.5);
        add(figures.coarseEntryBytes, Double.NaN, 0.2);
        return figures;
    }

    /** Adds figures of the contestants in their order, as many as there are, in three rounds, of which one is twice as fast. */
    private static void add(Rounds rounds, double... figures) {
        for (int i = 0; i < figures.length; i++) {
            for (double factor : new double[] {1, 2, 1}) {
                if (!Double.isNaN(figures[i])) {
                    rounds.add(List.of(RedisContestant.values()).get(i), figures[i] * factor);
                }
            }
        }
    }

    /** Weir takes 50 ns, Bucket4j 80, the next 90 and so on, the floors 40; with more threads all take 10 more. */
    private static Figures figures() {
        Figures figures = new Figures();
        for (Measure measure : Plan.goals().measures()) {
            double nanos = measure.threads() == 1 ? 0 : 10;
            if (measure.contestant() == null) {
                nanos += 40;
            } else if (measure.contestant() == Contestant.WEIR) {
                nanos += 50;
            } else {
                nanos += 80 + 10 * Contestant.peers().indexOf(measure.contestant());
            }
            for (int fork = -1; fork <= 1; fork++) {
                Tail tail = measure.scenario().isTail() ? new Tail(500 + fork, 5_000, 70_000 + fork) : Tail.NONE;
                figures.add(measure, new Sample(nanos + fork, 56, 75, 25, tail));
            }
        }
        return figures;
    }

    private static List<String> lines(String text) {
        return text.lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    private static List<String> section(String name) {
        List<Goal> goals = Goals.inMemory(figures(), MEMORY);
        return Section.inMemory(MACHINE, "./bench memory", goals, figures(), MEMORY).stream()
                .filter(section -> section.name().equals(name))
                .flatMap(section -> lines(section.text()).stream())
                .toList();
    }

    @Test
    void json_goals_isOneObjectInEachLine() {
        String json = Goal.json(Goals.inMemory(figures(), MEMORY));

        assertThat(json)
                .startsWith("[{\"name\":\"one key, below the limit, 1 thread, against Bucket4j\",\"ratio\":0.625,"
                        + "\"must\":1.05,\"aim\":0.95,\"better\":\"lower\"},\n {\"name\":")
                .endsWith("{\"name\":\"an idle key without its string\",\"ratio\":99.960,"
                        + "\"must\":120.0,\"aim\":90.0,\"better\":\"lower\"}]\n");
        assertThat(json.lines()).hasSize(18);
        assertThat(Goal.json(List.of())).isEqualTo("[]\n");
    }

    @Test
    void onRedis_goals_compareWithTheRightContestant() {
        assertThat(Goals.onRedis(REDIS))
                .extracting(goal -> goal.what() + " / " + goal.against() + ": " + Figure.decimals(goal.ratio(), 4))
                .containsExactly(
                        "sync p50, admitted / SET: 1.1000",
                        "sync p50, denied on the server / SET: 1.4000",
                        "one hot key, 256 in flight / Redisson: 45.0000",
                        "one hot key, 256 in flight / Bucket4j: 3750.0000",
                        "distinct keys, 256 in flight / ZSET script: 1.2500",
                        "distinct keys, 256 in flight / Redisson: 2.5000",
                        "denied again and again, millions a second a core / : 25.0000",
                        "denied again and again, Redis calls per permit granted / : 1.0600",
                        "server CPU a decision / ZSET script: 0.8000",
                        "memory an entry / ZSET script: 0.0297");
    }

    @Test
    void table_goals_areJudgedAsTheyAreShown() {
        assertThat(section("goals"))
                .hasSize(2 + 2 + 18)
                .startsWith("A processor, 2 cores; A JVM 17; 2026-11-21; load 0.10 at the start; `./bench memory`", "")
                .contains(
                        "| one key, allowed() only, 1 thread / Bucket4j | 50.0 ns (49.0–51.0) | 80.0 ns (79.0–81.0)"
                                + " | 0.63 | 1.05 | 0.95 | aim |",
                        "| waiting: a peek | 50.0 ns (49.0–51.0) | | 50.00 | 2000.00 | 1000.00 | aim |",
                        "| an entry at 1,000,000 a minute | 1.10 B | | 1.10 | 1.10 | 1.00 | must |",
                        "| an idle key without its string | 100.0 B | | 99.96 | 120.00 | 90.00 | must |")
                .anyMatch(line -> line.startsWith("| one key, denied, 2 threads") && line.endsWith("| no |"));
        assertThat(lines(Goal.table(Goals.onRedis(REDIS)).text()))
                .contains(
                        "| one hot key, 256 in flight / Redisson | 900,000 /s (900,000–1,800,000)"
                                + " | 20,000 /s (20,000–40,000) | 45.00 | ≥ 25.00 | ≥ 60.00 | must |",
                        "| memory an entry / ZSET script | 3.50 B (3.50–7.00) | 118 B (118–236)"
                                + " | 0.0297 | 0.0769 | 0.0303 | aim |");
    }

    @Test
    void tables_times_haveColumnForEachContestant() {
        assertThat(section("times"))
                .contains(
                        "| ns a call (least–most) | Weir | Bucket4j | Resilience4j | Guava | Failsafe |",
                        "| one key, two limits: 1 thread, G1 | 50.0 (49.0–51.0) | 80.0 (79.0–81.0) | | | |",
                        "| one key, below the limit, each call timed: Weir, 4 threads, G1 | 500 | 5,000 | 70,001 |",
                        "| nanoTime and a CAS of its own: 1 thread, G1 | 40.0 (39.0–41.0) |")
                .anyMatch(
                        line -> line.startsWith("| one key, at the limit: 2 threads, G1 | 60.0 (59.0–61.0), 25% den"));
        assertThat(section("memory")).contains("| Weir, 1 µs | 64.0 | 8,004,000 | 8.00 |");
    }

    @Test
    void onRedis_sections_nameTheServer() {
        List<Section> sections = Section.onRedis(MACHINE, "./bench redis", Goals.onRedis(REDIS), REDIS);

        assertThat(sections).extracting(Section::name).containsExactlyElementsOf(Section.REDIS);
        assertThat(sections)
                .allSatisfy(section -> assertThat(section.text()).contains("; Redis 7.0.15; ", "`./bench redis`"));
        assertThat(lines(sections.get(1).text()))
                .contains("| the same, server CPU a decision, µs | | 8.00 (8.00–16.0) | 10.0 (10.0–20.0)"
                        + " | 20.0 (20.0–40.0) | 30.0 (30.0–60.0) |");
    }

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
            assertThat(Figure.text(new Spread(38.24, 37, 41.06), "ns")).isEqualTo("38.2 ns (37.0–41.1)");
            assertThat(Figure.text(new Spread(1234.4, 99.94, 2000), "ns")).isEqualTo("1,234 ns (99.9–2,000)");
            assertThat(Figure.text(new Spread(56.003, 56.001, 56.004), "B")).isEqualTo("56.0 B");
        } finally {
            Locale.setDefault(before);
        }
        assertThatThrownBy(() -> new MarkdownTable("a", "b").add("c")).hasMessage("row must have 2 cells, had 1");
        assertThat(Machine.here().header("./bench memory"))
                .matches("\\S.*, \\d+ cores; .*; 20.*; load .* at the start; `./bench memory`\n");
    }
}
