package dev.weir.benchmarks.report;

import java.io.IOException;

/** Something that is measured and reported. */
public interface Benchmark {
    /**
     * Measures, and reports under a header.
     *
     * @throws FailedMeasureException if something cannot be measured, or is not what its name says
     * @throws IOException if a process cannot be started, or ends a connection
     */
    Section.Report run(String header) throws IOException;
}
