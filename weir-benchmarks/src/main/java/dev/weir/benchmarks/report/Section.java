package dev.weir.benchmarks.report;

import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.run.Figures;
import java.util.List;

/**
 * A part of the report, which has its own place on a page.
 *
 * @param name names its place
 */
public record Section(String name, String text) {
    /** The places that a page must have. */
    public static final List<String> NAMES = List.of("goals", "times", "memory");

    /** All of a report, each under a line that says where, when and how it was measured. */
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
}
