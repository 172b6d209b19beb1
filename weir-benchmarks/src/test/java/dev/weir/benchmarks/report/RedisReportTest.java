package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.redis.RedisContestant;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.redis.Rounds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The goals, the JSON and the tables of made-up figures. */
final class RedisReportTest {
    private static final RedisFigures FIGURES = new RedisFigures(
            "7.0.15",
            rounds(11, 10, 15, 20, 22),
            rounds(14, 10, 15, 20, 9),
            rounds(900_000, Double.NaN, 40_000, 20_000, 240),
            rounds(50_000, Double.NaN, 40_000, 20_000, 10_000),
            rounds(8, Double.NaN, 10, 20, 30),
            rounds(25),
            rounds(1.06),
            rounds(3.5, Double.NaN, 118, 60, 0.5),
            rounds(0.2));

    /** Figures of Weir, SET, the script, Redisson and Bucket4j, as many as there are; three rounds, of which one is twice as fast. */
    private static Rounds rounds(double... figures) {
        List<RedisContestant> order = List.of(
                RedisContestant.WEIR,
                RedisContestant.SET,
                RedisContestant.ZSET,
                RedisContestant.REDISSON,
                RedisContestant.BUCKET4J);
        Rounds rounds = new Rounds();
        for (int i = 0; i < figures.length; i++) {
            for (double factor : new double[] {1, 2, 1}) {
                if (!Double.isNaN(figures[i])) {
                    rounds.add(order.get(i), figures[i] * factor);
                }
            }
        }
        return rounds;
    }

    @Test
    void json_goals_isOneLineEach() {
        assertThat(Json.of(RedisGoals.results(FIGURES))).isEqualTo("""
                [{"name":"sync p50, admitted, against SET","ratio":1.100,"must":1.35,"aim":1.15,"better":"lower"},
                 {"name":"sync p50, denied on the server, against SET","ratio":1.400,"must":1.3,"aim":1.12,"better":"lower"},
                 {"name":"one hot key, 256 in flight, against Redisson","ratio":45.000,"must":25.0,"aim":60.0,"better":"higher"},
                 {"name":"one hot key, 256 in flight, against Bucket4j","ratio":3750.000,"must":200.0,"aim":4000.0,"better":"higher"},
                 {"name":"distinct keys, 256 in flight, against ZSET script","ratio":1.250,"must":1.4,"aim":2.0,"better":"higher"},
                 {"name":"distinct keys, 256 in flight, against Redisson","ratio":2.500,"must":3.5,"aim":5.0,"better":"higher"},
                 {"name":"denied again and again, millions a second a core","ratio":25.000,"must":10.0,"aim":50.0,"better":"higher"},
                 {"name":"denied again and again, Redis calls per permit granted","ratio":1.060,"must":1.5,"aim":1.05,"better":"lower"},
                 {"name":"server CPU a decision, against ZSET script","ratio":0.800,"must":0.75,"aim":0.5,"better":"lower"},
                 {"name":"memory an entry, against ZSET script","ratio":0.02966,"must":0.0769,"aim":0.0303,"better":"lower"}]
                """);
    }

    @Test
    void goals_bothDirections_areJudged() {
        List<String> lines = GoalsTable.of(RedisGoals.results(FIGURES))
                .text()
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();

        assertThat(lines)
                .hasSize(2 + 10)
                .contains(
                        "| sync p50, admitted / SET | 11.0 µs (11.0–22.0) | 10.0 µs (10.0–20.0) | 1.10 | 1.35 | 1.15 | aim |",
                        "| one hot key, 256 in flight / Redisson | 900,000 /s (900,000–1,800,000)"
                                + " | 20,000 /s (20,000–40,000) | 45.00 | ≥ 25.00 | ≥ 60.00 | must |",
                        "| memory an entry / ZSET script | 3.50 B (3.50–7.00) | 118 B (118–236)"
                                + " | 0.0297 | 0.0769 | 0.0303 | aim |")
                .anyMatch(line ->
                        line.startsWith("| distinct keys, 256 in flight / Redisson") && line.endsWith("| no |"));
    }

    @Test
    void redis_sections_sayWhichServerAndHaveAllRows() {
        List<Section> sections =
                Section.redis(Fixed.MACHINE, "./bench redis --quick", RedisGoals.results(FIGURES), FIGURES);

        assertThat(sections).extracting(Section::name).containsExactlyElementsOf(Section.REDIS);
        assertThat(sections)
                .allSatisfy(section -> assertThat(section.text())
                        .startsWith("A processor, 2 cores; A JVM 17; Redis 7.0.15; 2026-11-21; load 0.10 at the start;"
                                + " `./bench redis --quick`\n\n| "));
        assertThat(RedisTable.of(FIGURES).text().lines())
                .hasSize(2 + 9)
                .anySatisfy(line -> assertThat(line.replaceAll(" +", " "))
                        .isEqualTo("| the same, server CPU a decision, µs | | 8.00 (8.00–16.0) | 10.0 (10.0–20.0)"
                                + " | 20.0 (20.0–40.0) | 30.0 (30.0–60.0) |"));
    }
}
