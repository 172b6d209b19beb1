package dev.weir.benchmarks.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.store.MemoryStore;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class WebBenchmarkTest {
    @Test
    void run_fewRequests_comparesContainersAndClients() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        Report report = new WebBenchmark(
                        Effort.SMOKE, new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), false))
                .run("header");

        assertThat(report.goals())
                .extracting(Goal::what)
                .containsExactly(
                        "median latency with the filter, Jetty, a bare socket",
                        "median latency with the filter, Tomcat, a bare socket",
                        "median latency with the filter, Jetty, java.net.http",
                        "median latency with the filter, Tomcat, java.net.http");
        assertThat(report.goals()).allSatisfy(goal -> {
            assertThat(goal.ours().median()).isPositive();
            assertThat(goal.ratio()).isPositive();
        });
        assertThat(report.sections())
                .singleElement()
                .satisfies(section ->
                        assertThat(section.text()).startsWith("header").contains("an empty endpoint"));
    }

    @Test
    void checkFilter_filterDecidesNothing_isReported() {
        WebClient unlimited = path -> HttpServletResponse.SC_NO_CONTENT;

        assertThatThrownBy(() -> WebBenchmark.checkFilter(
                        unlimited, MemoryStore.builder().build()))
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("requests to /limited must pass the filter");
    }
}
