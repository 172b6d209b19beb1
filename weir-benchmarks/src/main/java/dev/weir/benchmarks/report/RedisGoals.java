package dev.weir.benchmarks.report;

import static dev.weir.benchmarks.redis.RedisContestant.BUCKET4J;
import static dev.weir.benchmarks.redis.RedisContestant.REDISSON;
import static dev.weir.benchmarks.redis.RedisContestant.SET;
import static dev.weir.benchmarks.redis.RedisContestant.WEIR;
import static dev.weir.benchmarks.redis.RedisContestant.ZSET;
import static dev.weir.benchmarks.report.Better.HIGHER;
import static dev.weir.benchmarks.report.Better.LOWER;

import dev.weir.benchmarks.redis.RedisContestant;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.redis.Rounds;
import dev.weir.benchmarks.run.Spread;
import java.util.List;

/** The goals on Redis, and how each is worked out of the figures. A ratio is the median of those of the rounds. */
public final class RedisGoals {
    private static final String HOT = "one hot key, 256 in flight";
    private static final String KEYS = "distinct keys, 256 in flight";

    private RedisGoals() {}

    /** All of them, in the order of the table. */
    public static List<GoalResult> results(RedisFigures figures) {
        Rounds hot = figures.hotKeyPerSecond();
        Rounds keys = figures.keysPerSecond();
        return List.of(
                new Goal("sync p50, admitted", LOWER, 1.35, 1.15).against(SET, figures.admittedMicros(), Unit.MICROS),
                new Goal("sync p50, denied on the server", LOWER, 1.3, 1.12)
                        .against(SET, figures.deniedMicros(), Unit.MICROS),
                new Goal(HOT, HIGHER, 25, 60).against(REDISSON, hot, Unit.PER_SECOND),
                new Goal(HOT, HIGHER, 200, 4000).against(BUCKET4J, hot, Unit.PER_SECOND),
                new Goal(KEYS, HIGHER, 1.4, 2).against(ZSET, keys, Unit.PER_SECOND),
                new Goal(KEYS, HIGHER, 3.5, 5).against(REDISSON, keys, Unit.PER_SECOND),
                new Goal("denied again and again, millions a second a core", HIGHER, 10, 50)
                        .alone(figures.deniedMillions().of(WEIR), Unit.MILLIONS),
                new Goal("denied again and again, Redis calls per permit granted", LOWER, 1.5, 1.05)
                        .alone(figures.scriptsPerPermit().of(WEIR), Unit.CALLS),
                new Goal("server CPU a decision", LOWER, 0.75, 0.5).against(ZSET, figures.keysCpuMicros(), Unit.MICROS),
                new Goal("memory an entry", LOWER, 0.0769, 0.0303).against(ZSET, figures.entryBytes(), Unit.BYTES));
    }

    private record Goal(String what, Better better, double must, double aim) {

        GoalResult against(RedisContestant reference, Rounds rounds, Unit unit) {
            Comparison comparison = new Comparison(
                    what,
                    unit,
                    rounds.of(WEIR),
                    reference.title(),
                    rounds.of(reference),
                    rounds.ratio(reference).median(),
                    true);
            return result(what + ", against " + reference.title(), comparison);
        }

        GoalResult alone(Spread ours, Unit unit) {
            return result(what, Comparison.alone(what, unit, ours));
        }

        private GoalResult result(String name, Comparison comparison) {
            return new GoalResult(name, better, must, aim, List.of(comparison));
        }
    }
}
