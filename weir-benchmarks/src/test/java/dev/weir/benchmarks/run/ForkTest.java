package dev.weir.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.limiter.Contestant;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .contains("OneKey.denied", "Threads: 2 threads", "-XX:+UseG1GC");
    }

    @Test
    void checked_somethingElseHappened_fails() {
        assertThatThrownBy(() -> Fork.checked(DENIED, new Sample(40, 56, 1, 999)))
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("one key, denied: Failsafe, 2 threads, G1:"
                        + " 1 were allowed and 999 denied, which is not what it is to show");
    }

    @ParameterizedTest
    @CsvSource({
        "NOTHING_ASKED, 0, 0, true",
        "NOTHING_ASKED, 1, 0, false",
        "NOTHING_ASKED, 0, 1, false",
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
