package dev.weir.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A moment of the load on a real server. */
final class ServerBenchmarkTest {
    private final Progress progress =
            new Progress(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), false);

    @Test
    void run_smoke_comparesServersAndHandlers() throws IOException {
        Report report = new ServerBenchmark(Effort.SMOKE, progress).run("header");

        assertThat(report.goals())
                .extracting(Goal::against)
                .containsExactly(
                        "an empty handler",
                        "an empty handler that answers later",
                        "one descriptor",
                        "one descriptor",
                        "");
        assertThat(report.goals()).allSatisfy(goal -> {
            assertThat(goal.ours().median()).isPositive();
            assertThat(goal.ratio()).isPositive();
        });
        assertThat(report.sections())
                .singleElement()
                .satisfies(section -> assertThat(section.text()).startsWith("header; the server has -Xmx512m"));
    }

    @Test
    void randomKeys_smoke_failNoCall() throws IOException {
        Report report = new RandomKeysBenchmark(Effort.SMOKE, progress).run("header");

        assertThat(report.sections())
                .singleElement()
                .satisfies(section -> assertThat(section.text())
                        .containsPattern("failed calls +\\| +0 ")
                        .containsPattern("decisions on 1000 known keys +\\| +6\\d\\d ")
                        .containsPattern("wrong decisions on them +\\| +0 "));
    }
}
