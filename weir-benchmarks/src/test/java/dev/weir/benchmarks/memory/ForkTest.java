package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.memory.Measure.Collector;
import dev.weir.benchmarks.memory.Measure.Expectation;
import dev.weir.benchmarks.memory.Measure.Sample;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ForkTest {
    private static final Measure DENIED = new Measure(Scenario.DENIED, Contestant.FAILSAFE, 2, Collector.G1);

    @Test
    void run_denied_countsAndWeighsWhatHappened() {
        ByteArrayOutputStream log = new ByteArrayOutputStream();

        Sample sample = new Fork(Effort.SMOKE, new PrintStream(log, true, StandardCharsets.UTF_8)).run(DENIED);

        assertThat(sample.nanos()).isBetween(1.0, 100_000.0);
        assertThat(sample.bytes()).isGreaterThan(50);
        assertThat(sample.allowed()).isZero();
        assertThat(sample.denied()).isGreaterThan(1_000);
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("OneKey.decide", "Threads: 2 threads", "-XX:+UseG1GC");
    }

    /** JMH prints how many times its statistics are of. */
    @ParameterizedTest
    @EnumSource(names = {"TAIL", "WAITING_TAIL"})
    void run_eachCallTimed_countsEveryCall(Scenario scenario) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();

        Sample sample = new Fork(Effort.SMOKE, new PrintStream(log, true, StandardCharsets.UTF_8))
                .run(new Measure(scenario, Contestant.WEIR, 1, Collector.G1));

        assertThat(sample.nanos()).isPositive();
        assertThat(sample.p999()).isLessThanOrEqualTo(sample.p9999());
        assertThat(sample.p9999()).isLessThanOrEqualTo(sample.longest());
        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.strip().startsWith("N = "))
                .singleElement()
                .satisfies(line -> assertThat(Long.parseLong(line.replaceAll("\\D", "")))
                        .isGreaterThanOrEqualTo(sample.allowed() + sample.denied()));
    }

    @Test
    void checked_somethingElseHappened_fails() {
        assertThatThrownBy(() -> Fork.checked(DENIED, new Sample(40, 56, 1, 999, 0, 0, 0)))
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("one key, denied: Failsafe, 2 threads, G1:"
                        + " 1 were allowed and 999 denied, not as the scenario says");
    }

    @ParameterizedTest
    @CsvSource({
        "NOTHING, 0, 0, true",
        "NOTHING, 1, 0, false",
        "NOTHING, 0, 1, false",
        "ALL_ALLOWED, 9, 0, true",
        "ALL_ALLOWED, 9, 1, false",
        "ALL_ALLOWED, 0, 0, false",
        "SOME_OF_EACH, 1, 1, true",
        "SOME_OF_EACH, 9, 0, false",
        "SOME_OF_EACH, 0, 9, false",
        "ALL_DENIED, 0, 9, true",
        "ALL_DENIED, 1, 9, false",
        "ALL_DENIED, 0, 0, false"
    })
    void holds_counts_areWhatTheNameSays(Expectation expectation, long allowed, long denied, boolean holds) {
        assertThat(expectation.holds(allowed, denied)).isEqualTo(holds);
    }
}
