package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.report.Rounds;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The report on invented figures, the same each time. */
final class RedisReportTest {
    private final Report report = figures().report("A machine");

    private static RedisReport figures() {
        RedisReport figures = new RedisReport();
        add(figures.admittedMicros, 10, 11, 15, 20, 22);
        add(figures.deniedMicros, 10, 14, 15, 20, 9);
        add(figures.oneLogMicros, Double.NaN, 8);
        add(figures.windowRatio, Double.NaN, 1.1);
        add(figures.twoLogsRatio, Double.NaN, 1.9);
        add(figures.attemptsRatio, Double.NaN, 1.6);
        add(figures.hotKeyPerSecond, Double.NaN, 900_000, 40_000, 20_000, 240, 600_000);
        add(figures.keysPerSecond, Double.NaN, 50_000, 40_000, 20_000, 10_000);
        add(figures.keysCpuMicros, Double.NaN, 8, 10, 20, 30, 40);
        add(figures.jointPerSecond, Double.NaN, 25_000);
        add(figures.jointRatio, Double.NaN, 0.5);
        add(figures.farPerSecond, Double.NaN, 400_000);
        add(figures.waitingPercent, Double.NaN, 99.5);
        add(figures.deniedMillions, Double.NaN, 25);
        add(figures.scriptsPerPermit, Double.NaN, 1.06);
        add(figures.entryBytes, Double.NaN, 3.5, 118, 60, 0.5);
        add(figures.coarseEntryBytes, Double.NaN, 0.2);
        return figures;
    }

    /** Adds figures of the contestants in their order, as many as there are, in three rounds, of which one is twice as fast. */
    private static void add(Rounds<RedisContestant> rounds, double... figures) {
        for (int i = 0; i < figures.length; i++) {
            if (!Double.isNaN(figures[i])) {
                RedisContestant contestant = List.of(RedisContestant.values()).get(i);
                IntStream.range(0, rounds.warm).forEach(warm -> rounds.add(contestant, 1e9));
                for (double factor : new double[] {1, 2, 1}) {
                    rounds.add(contestant, figures[i] * factor);
                }
            }
        }
    }

    private List<String> section(int number, String name) {
        Section section = report.sections().get(number);
        assertThat(section.name()).isEqualTo(name);
        return section.text().lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    @Test
    void of_goals_compareWithTheRightContestant() {
        assertThat(report.goals())
                .extracting(goal -> String.format("%s / %s: %.4f", goal.what(), goal.against(), goal.ratio()))
                .containsExactly(
                        "sync p50, admitted / SET: 1.1000",
                        "sync p50, denied on the server / SET: 1.4000",
                        "server time, fixed window / one sliding log / : 1.1000",
                        "server time, two sliding logs / one / : 1.9000",
                        "server time, denied attempts / one sliding log / : 1.6000",
                        "one hot key, 256 in flight / Redisson: 45.0000",
                        "one hot key, 256 in flight / Bucket4j: 3750.0000",
                        "distinct keys, 256 in flight / ZSET script: 1.2500",
                        "distinct keys, 256 in flight / Redisson: 2.5000",
                        "joint requests of two keys / of one, 256 in flight / : 0.5000",
                        "one hot key, 5 ms round trip, 4,096 in flight / : 400000.0000",
                        "2,000 callers in 4 processes wait: use of the limit / : 99.5000",
                        "denied again and again, millions a second a core / : 25.0000",
                        "denied again and again, Redis calls per permit granted / : 1.0600",
                        "server CPU a decision / ZSET script: 0.8000",
                        "memory an entry / ZSET script: 0.0297");
    }

    @Test
    void of_tables_haveColumnForEachContestant() {
        assertThat(section(0, "redis-goals"))
                .contains(
                        "| one hot key, 256 in flight / Redisson | 900,000 /s (900,000–1,800,000)"
                                + " | 20,000 /s (20,000–40,000) | 45.00 | ≥ 25.00 | ≥ 60.00 | must |",
                        "| memory an entry / ZSET script | 3.50 B (3.50–7.00) | 118 B (118–236)"
                                + " | 0.0297 | 0.0769 | 0.0303 | aim |");
        assertThat(section(1, "redis"))
                .contains("| the same, server CPU a decision, µs | | 8.00 (8.00–16.0) | 10.0 (10.0–20.0)"
                        + " | 20.0 (20.0–40.0) | 30.0 (30.0–60.0) | 40.0 (40.0–80.0) |");
    }
}
