package dev.weir.benchmarks.report;

import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.run.Figures;
import java.util.List;

/**
 * A part of the report, which has its own place on a page.
 *
 * @param name names its place
 */
public record Section(String name, String text) {
    /** The places that a page must have for what is measured in memory. */
    public static final List<String> MEMORY = List.of("goals", "times", "memory");
    /** The places that a page must have for what is measured on Redis. */
    public static final List<String> REDIS = List.of("redis-goals", "redis");

    /** All of the report on limiters in memory, each under a line that says where, when and how it was measured. */
    public static List<Section> all(
            Machine machine, String command, List<GoalResult> results, Figures figures, MemoryFigures memory) {
        String header = machine.header(command) + "\n";
        ScenarioTables scenarios = new ScenarioTables(figures);
        return List.of(
                new Section("goals", header + GoalsTable.of(results).text()),
                new Section(
                        "times",
                        header + scenarios.times().text() + "\n"
                                + scenarios.floors().text()),
                new Section(
                        "memory",
                        header + MemoryTable.of(memory).text() + "\n"
                                + scenarios.allocation().text()));
    }

    /** All of the report on limiters on Redis. */
    public static List<Section> redis(Machine machine, String command, List<GoalResult> results, RedisFigures figures) {
        String header = machine.header("Redis " + figures.server(), command) + "\n";
        return List.of(
                new Section("redis-goals", header + GoalsTable.of(results).text()),
                new Section("redis", header + RedisTable.of(figures).text()));
    }
}
