package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.RedisContestant.BUCKET4J;
import static dev.weir.benchmarks.redis.RedisContestant.REDISSON;
import static dev.weir.benchmarks.redis.RedisContestant.SET;
import static dev.weir.benchmarks.redis.RedisContestant.WEIR;
import static dev.weir.benchmarks.redis.RedisContestant.ZSET;

import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Rounds;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What was measured on Redis, as goals and as a table of all figures. Where many requests are in flight, they are 256, or 4,096 with
 * a slow network.
 */
final class RedisReport {
    private final Map<String, Rounds<RedisContestant>> rows = new LinkedHashMap<>();

    final Rounds<RedisContestant> admittedMicros = row("sync p50, admitted, µs", 3);
    final Rounds<RedisContestant> deniedMicros = row("sync p50, denied on the server, µs", 3);
    final Rounds<RedisContestant> oneLogMicros =
            row("one sliding log, server time of a decision, one at a time, µs", 1);
    final Rounds<RedisContestant> windowRatio = row("the same of a fixed window / one sliding log", 1);
    final Rounds<RedisContestant> twoLogsRatio = row("the same of two sliding logs on a key / one sliding log", 1);
    final Rounds<RedisContestant> attemptsRatio = row("the same of denied attempts that count / one sliding log", 1);
    final Rounds<RedisContestant> hotKeyPerSecond = row("one hot key, 256 in flight, decisions a second", 1);
    final Rounds<RedisContestant> keysPerSecond = row("distinct keys, 256 in flight, decisions a second", 1);
    final Rounds<RedisContestant> keysCpuMicros = row("the same, server CPU a decision, µs", 1);
    final Rounds<RedisContestant> jointPerSecond =
            row("joint requests of two distinct keys, 256 in flight, decisions a second", 1);
    final Rounds<RedisContestant> jointRatio = row("the same / requests of one key", 1);
    final Rounds<RedisContestant> farPerSecond =
            row("one hot key, 5 ms round trip, 4,096 in flight, decisions a second", 1);
    final Rounds<RedisContestant> waitingPercent = row("4 processes, 2,000 waiting callers, use of 1000/1s, %", 0);
    final Rounds<RedisContestant> deniedMillions = row("denied again and again, million decisions a second a core", 1);
    final Rounds<RedisContestant> scriptsPerPermit = row("the same, Redis calls per permit granted", 1);
    final Rounds<RedisContestant> entryBytes = row("bytes an entry of a large log, 1 µs", 0);
    final Rounds<RedisContestant> coarseEntryBytes = row("the same, default resolution", 0);

    /** Adds a row, whose first figures only warm up. */
    private Rounds<RedisContestant> row(String title, int warm) {
        Rounds<RedisContestant> figures = new Rounds<>(warm);
        rows.put(title, figures);
        return figures;
    }

    Report report(String header) {
        List<Goal> goals = goals();
        return new Report(
                goals,
                new Section("redis-goals", header + "\n\n" + Goal.table(goals)),
                new Section("redis", header + "\n\n" + table()));
    }

    private List<Goal> goals() {
        String one = "one hot key, 256 in flight";
        String many = "distinct keys, 256 in flight";
        String again = "denied again and again, ";
        String joint = "joint requests of two keys / of one, 256 in flight";
        String far = "one hot key, 5 ms round trip, 4,096 in flight";
        String waiting = "2,000 callers in 4 processes wait: use of the limit";
        String calls = again + "Redis calls per permit granted";
        return List.of(
                admittedMicros.goal("sync p50, admitted", "µs", WEIR, SET.title, SET, 1.35, 1.15),
                deniedMicros.goal("sync p50, denied on the server", "µs", WEIR, SET.title, SET, 1.25, 1.15),
                Goal.alone("server time, fixed window / one sliding log", "", windowRatio.of(WEIR), 1.5, 1.2),
                Goal.alone("server time, two sliding logs / one", "", twoLogsRatio.of(WEIR), 2, 1.2),
                Goal.alone("server time, denied attempts / one sliding log", "", attemptsRatio.of(WEIR), 1.5, 1.2),
                hotKeyPerSecond.goal(one, "/s", WEIR, REDISSON.title, REDISSON, 25, 60),
                hotKeyPerSecond.goal(one, "/s", WEIR, BUCKET4J.title, BUCKET4J, 200, 4000),
                keysPerSecond.goal(many, "/s", WEIR, ZSET.title, ZSET, 1.6, 2.5),
                keysPerSecond.goal(many, "/s", WEIR, REDISSON.title, REDISSON, 5, 8),
                Goal.alone(joint, "", jointRatio.of(WEIR), 0.45, 0.6),
                Goal.alone(far, "/s", farPerSecond.of(WEIR), 300_000, 800_000),
                Goal.alone(waiting, "%", waitingPercent.of(WEIR), 99, 99.9),
                Goal.alone(again + "millions a second a core", "M/s", deniedMillions.of(WEIR), 10, 50),
                Goal.alone(calls, "calls", scriptsPerPermit.of(WEIR), 1.5, 1.05),
                keysCpuMicros.goal("server CPU a decision", "µs", WEIR, ZSET.title, ZSET, 0.62, 0.45),
                entryBytes.goal("memory an entry", "B", WEIR, ZSET.title, ZSET, 0.0769, 0.0303));
    }

    private Table table() {
        Stream<String> titles = Stream.of(RedisContestant.values()).map(each -> each.title);
        Table table = new Table(Stream.concat(Stream.of("median of the rounds (least–most)"), titles)
                .toList());
        rows.forEach((title, rounds) -> {
            Stream<String> cells = Stream.of(RedisContestant.values())
                    .map(each -> rounds.has(each) ? rounds.of(each).text("") : "");
            table.add(Stream.concat(Stream.of(title), cells).toList());
        });
        return table;
    }
}
