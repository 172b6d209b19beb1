package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.RedisContestant.BUCKET4J;
import static dev.weir.benchmarks.redis.RedisContestant.REDISSON;
import static dev.weir.benchmarks.redis.RedisContestant.SET;
import static dev.weir.benchmarks.redis.RedisContestant.WEIR;
import static dev.weir.benchmarks.redis.RedisContestant.ZSET;

import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Table;
import java.util.List;
import java.util.stream.Stream;

/** The goals on Redis, and the table of all figures. A ratio is the median of those of the rounds. */
final class RedisReport {
    private RedisReport() {}

    static Report of(RedisFigures figures, String header) {
        List<Goal> goals = goals(figures);
        return new Report(
                goals,
                List.of(
                        new Section("redis-goals", header + "\n\n" + Goal.table(goals)),
                        new Section("redis", header + "\n\n" + table(figures))));
    }

    private static List<Goal> goals(RedisFigures figures) {
        Rounds hot = figures.hotKeyPerSecond;
        Rounds keys = figures.keysPerSecond;
        String one = "one hot key, 256 in flight";
        String many = "distinct keys, 256 in flight";
        String again = "denied again and again, ";
        return List.of(
                against(SET, "sync p50, admitted", "µs", figures.admittedMicros, 1.35, 1.15),
                against(SET, "sync p50, denied on the server", "µs", figures.deniedMicros, 1.25, 1.15),
                against(REDISSON, one, "/s", hot, 25, 60),
                against(BUCKET4J, one, "/s", hot, 200, 4000),
                against(ZSET, many, "/s", keys, 1.6, 2.5),
                against(REDISSON, many, "/s", keys, 5, 8),
                Goal.alone(
                        "joint requests of two keys / of one, 256 in flight",
                        "",
                        figures.jointRatio.of(WEIR),
                        0.45,
                        0.6),
                Goal.alone(
                        "one hot key, 5 ms round trip, 4,096 in flight",
                        "/s",
                        figures.farPerSecond.of(WEIR),
                        300_000,
                        800_000),
                Goal.alone(
                        "2,000 callers in 4 processes wait: use of the limit",
                        "%",
                        figures.waitingPercent.of(WEIR),
                        99,
                        99.9),
                Goal.alone(again + "millions a second a core", "M/s", figures.deniedMillions.of(WEIR), 10, 50),
                Goal.alone(
                        again + "Redis calls per permit granted",
                        "calls",
                        figures.scriptsPerPermit.of(WEIR),
                        1.5,
                        1.05),
                against(ZSET, "server CPU a decision", "µs", figures.keysCpuMicros, 0.62, 0.45),
                against(ZSET, "memory an entry", "B", figures.entryBytes, 0.0769, 0.0303));
    }

    private static Goal against(
            RedisContestant reference, String what, String unit, Rounds rounds, double must, double aim) {
        return new Goal(
                what,
                unit,
                rounds.of(WEIR),
                reference.title(),
                rounds.of(reference),
                rounds.ratio(reference).median(),
                must,
                aim);
    }

    private static Table table(RedisFigures figures) {
        Stream<String> titles = Stream.of(RedisContestant.values()).map(RedisContestant::title);
        Table table = new Table(Stream.concat(Stream.of("median of the rounds (least–most)"), titles)
                .toList());
        for (Rounds rounds : figures.all()) {
            Stream<String> cells = Stream.of(RedisContestant.values())
                    .map(each -> rounds.has(each) ? rounds.of(each).text("") : "");
            table.add(Stream.concat(Stream.of(rounds.title()), cells).toList());
        }
        return table;
    }
}
