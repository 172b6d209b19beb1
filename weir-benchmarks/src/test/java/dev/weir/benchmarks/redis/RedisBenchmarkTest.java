package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RedisBenchmarkTest {
    /** A moment of each: every limiter limits, and every row of the table has a figure of Weir. */
    @Test
    void run_smoke_measuresEveryRow() {
        PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);

        Report report = RedisBenchmark.run(Effort.SMOKE, new Progress(err, false), "header");

        assertThat(report.goals()).hasSize(16);
        assertThat(report.sections().get(1).text().lines().skip(4))
                .hasSize(17)
                .allMatch(row -> row.split("\\|", -1)[3].strip().matches("[0-9].*"));
    }
}
