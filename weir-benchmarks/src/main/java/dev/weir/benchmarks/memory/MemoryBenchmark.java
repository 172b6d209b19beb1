package dev.weir.benchmarks.memory;

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
public final class MemoryBenchmark {
    private static final int KEYS = 1_000_000;
    private static final int ENTRIES = 1_000_000;
    private static final @Nullable String LOG = System.getProperty("bench.log");

    private MemoryBenchmark() {}

    /**
     * Measures.
     *
     * @throws FailedMeasureException if something cannot be measured, or is not what its name says
     */
    public static Report run(Effort effort, boolean onlyGoals, String header, Progress progress) throws IOException {
        List<Measure> turns = (onlyGoals ? Plan.goals() : Plan.everything()).turns(effort);
        progress.begin(turns.size(), "forks");
        List<Footprint> footprints = Footprint.ofAll(KEYS, ENTRIES, progress::show);
        Figures figures = new Figures();
        try (PrintStream log = log()) {
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

    private static PrintStream log() throws IOException {
        OutputStream log = LOG == null ? OutputStream.nullOutputStream() : new FileOutputStream(LOG);
        return new PrintStream(log, true, StandardCharsets.UTF_8);
    }
}
