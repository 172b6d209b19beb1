package dev.weir.benchmarks.report;

import static dev.weir.benchmarks.redis.RedisContestant.BUCKET4J;
import static dev.weir.benchmarks.redis.RedisContestant.REDISSON;
import static dev.weir.benchmarks.redis.RedisContestant.SET;
import static dev.weir.benchmarks.redis.RedisContestant.WEIR;
import static dev.weir.benchmarks.redis.RedisContestant.ZSET;
import static dev.weir.benchmarks.report.Goal.Better.HIGHER;
import static dev.weir.benchmarks.report.Goal.Better.LOWER;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.redis.RedisContestant;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.redis.Rounds;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Measure;
import dev.weir.benchmarks.run.Measure.Collector;
import dev.weir.benchmarks.run.Measure.Spread;
import dev.weir.benchmarks.run.Scenario;
import java.util.List;
import java.util.Objects;

/** The goals, in the order of their tables. Those in memory are measured under G1, the default on a server. */
public final class Goals {
    private final Figures figures;

    private Goals(Figures figures) {
        this.figures = figures;
    }

    /** Returns the goals in memory. */
    public static List<Goal> inMemory(Figures figures, MemoryFigures memory) {
        Goals goals = new Goals(figures);
        return List.of(
                goals.peer(Scenario.BELOW, 1, 1.05, 0.95),
                goals.peer(Scenario.ALLOWED_ONLY, 1, 1.05, 0.95),
                goals.peer(Scenario.BELOW, 2, 1.1, 0.9),
                goals.peer(Scenario.AT_LIMIT, 2, 0.8, 0.7),
                goals.peer(Scenario.DENIED, 1, 0.9, 0.8),
                goals.peer(Scenario.DENIED, 2, 0.3, 0.2),
                goals.peer(Scenario.KEYS_100K, 1, 1.1, 0.8),
                goals.peer(Scenario.KEYS_100K, 2, 1.1, 0.8),
                goals.peer(Scenario.KEYS_1M, 1, 1.1, 0.8),
                goals.peer(Scenario.KEYS_1M, 2, 1.1, 0.8),
                goals.peer(Scenario.TWO_LIMITS, 1, 0.7, 0.5),
                goals.peer(Scenario.TWO_LIMITS, 2, 0.7, 0.5),
                goals.waiting(Scenario.WAITING_ADMISSION),
                goals.waiting(Scenario.WAITING_DENIAL),
                goals.waiting(Scenario.WAITING_PEEK),
                goals.waiting(Scenario.WAITING_RESERVATION),
                bytes("an entry at 1,000,000 a minute", memory.bytesPerEntry(memory.weir()), 1.1, 1),
                bytes("an idle key without its string", memory.weir().idleKeyBytes(), 120, 90));
    }

    /** Compares with the fastest peer of the same run. */
    private Goal peer(Scenario scenario, int threads, double must, double aim) {
        Measure peer = figures.fastestPeer(scenario, threads, Collector.G1);
        Spread ours = figures.nanos(new Measure(scenario, Contestant.WEIR, threads, Collector.G1));
        Spread theirs = figures.nanos(peer);
        return new Goal(
                scenario.title() + (threads == 1 ? ", 1 thread" : ", " + threads + " threads"),
                "ns",
                ours,
                Objects.requireNonNull(peer.contestant()).title(),
                theirs,
                ours.median() / theirs.median(),
                LOWER,
                must,
                aim);
    }

    private Goal waiting(Scenario scenario) {
        Spread nanos = figures.nanos(new Measure(scenario, Contestant.WEIR, 1, Collector.G1));
        return Goal.alone(scenario.title(), "ns", nanos, 2_000, 1_000);
    }

    private static Goal bytes(String what, double bytes, double must, double aim) {
        return Goal.alone(what, "B", Spread.exactly(bytes), must, aim);
    }

    /** Returns the goals on Redis. A ratio is the median of those of the rounds. */
    public static List<Goal> onRedis(RedisFigures figures) {
        Rounds hot = figures.hotKeyPerSecond;
        Rounds keys = figures.keysPerSecond;
        String one = "one hot key, 256 in flight";
        String many = "distinct keys, 256 in flight";
        return List.of(
                against(SET, "sync p50, admitted", "µs", figures.admittedMicros, LOWER, 1.35, 1.15),
                against(SET, "sync p50, denied on the server", "µs", figures.deniedMicros, LOWER, 1.3, 1.12),
                against(REDISSON, one, "/s", hot, HIGHER, 25, 60),
                against(BUCKET4J, one, "/s", hot, HIGHER, 200, 4000),
                against(ZSET, many, "/s", keys, HIGHER, 1.4, 2),
                against(REDISSON, many, "/s", keys, HIGHER, 3.5, 5),
                deniedMillions(figures.deniedMillions.of(WEIR)),
                Goal.alone(
                        "denied again and again, Redis calls per permit granted",
                        "calls",
                        figures.scriptsPerPermit.of(WEIR),
                        1.5,
                        1.05),
                against(ZSET, "server CPU a decision", "µs", figures.keysCpuMicros, LOWER, 0.75, 0.5),
                against(ZSET, "memory an entry", "B", figures.entryBytes, LOWER, 0.0769, 0.0303));
    }

    private static Goal deniedMillions(Spread ours) {
        String what = "denied again and again, millions a second a core";
        return new Goal(what, "M/s", ours, "", null, ours.median(), HIGHER, 10, 50);
    }

    private static Goal against(
            RedisContestant reference,
            String what,
            String unit,
            Rounds rounds,
            Goal.Better better,
            double must,
            double aim) {
        return new Goal(
                what,
                unit,
                rounds.of(WEIR),
                reference.title(),
                rounds.of(reference),
                rounds.ratio(reference).median(),
                better,
                must,
                aim);
    }
}
