package dev.weir.benchmarks.report;

import dev.weir.benchmarks.redis.RedisContestant;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.redis.Rounds;
import dev.weir.benchmarks.run.Spread;
import java.util.ArrayList;
import java.util.List;

/** All that was measured on Redis: a row for each scenario, a column for each contestant. */
final class RedisTable {
    private RedisTable() {}

    static MarkdownTable of(RedisFigures figures) {
        List<String> header = new ArrayList<>(List.of("median of the rounds (least–most)"));
        for (RedisContestant contestant : RedisContestant.values()) {
            header.add(contestant.title());
        }
        MarkdownTable table = new MarkdownTable(header);
        row(table, "sync p50, admitted, µs", figures.admittedMicros());
        row(table, "sync p50, denied on the server, µs", figures.deniedMicros());
        row(table, "one hot key, 256 in flight, decisions a second", figures.hotKeyPerSecond());
        row(table, "distinct keys, 256 in flight, decisions a second", figures.keysPerSecond());
        row(table, "the same, server CPU a decision, µs", figures.keysCpuMicros());
        row(table, "denied again and again, million decisions a second a core", figures.deniedMillions());
        row(table, "the same, Redis calls per permit granted", figures.scriptsPerPermit());
        row(table, "bytes an entry of a large log, 1 µs", figures.entryBytes());
        row(table, "the same, default resolution", figures.coarseEntryBytes());
        return table;
    }

    private static void row(MarkdownTable table, String what, Rounds rounds) {
        List<String> cells = new ArrayList<>(List.of(what));
        for (RedisContestant contestant : RedisContestant.values()) {
            cells.add(rounds.has(contestant) ? text(rounds.of(contestant)) : "");
        }
        table.add(cells);
    }

    private static String text(Spread spread) {
        String median = Unit.number(spread.median());
        return spread.most() == spread.least()
                ? median
                : median + " (" + Unit.number(spread.least()) + "–" + Unit.number(spread.most()) + ")";
    }
}
