package dev.weir.benchmarks.memory;

import dev.weir.benchmarks.report.Benchmark;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures limiters in the memory of a JVM: the bytes in this one, the times fork by fork. */
public record MemoryBenchmark(Effort effort, boolean onlyGoals, Progress progress) implements Benchmark {
    private static final int KEYS = 1_000_000;
    private static final int ENTRIES = 1_000_000;
    private static final @Nullable String LOG = System.getProperty("bench.log");

    @Override
    public Report run(String header) throws IOException {
        List<Measure> turns = (onlyGoals ? Plan.goals() : Plan.everything()).turns(effort);
        progress.begin(turns.size(), "forks");
        List<Footprint> footprints = Footprint.ofAll(KEYS, ENTRIES, progress::show);
        Figures figures = new Figures();
        OutputStream output = LOG == null ? OutputStream.nullOutputStream() : new FileOutputStream(LOG);
        try (PrintStream log = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            Fork fork = new Fork(effort, log);
            for (Measure turn : turns) {
                progress.next(turn.toString());
                figures.add(turn, fork.run(turn));
            }
        } catch (FailedMeasureException failure) {
            String where = LOG == null ? "" : "; JMH's output is in " + LOG;
            throw new FailedMeasureException(failure.getMessage() + where, failure);
        }
        return new MemoryReport(figures, footprints).report(header);
    }
}
