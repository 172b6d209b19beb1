package dev.weir.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StressTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Stress.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--minutes 1            | Unknown options: '--minutes', '1'",
                "run                    | Unmatched argument at index 0: 'run'",
                "races --hours 1        | Unknown options: '--hours', '1'",
                "races 5                | Unmatched argument at index 1: '5'",
                "races --minutes 5 6    | Unmatched argument at index 3: '6'",
                "races --minutes        | Missing required parameter for option '--minutes' (N)",
                "races --minutes=       | Invalid value for option '--minutes'",
                "races --minutes 0      | --minutes must be 1 to 10000, was 0",
                "races --minutes 10001  | --minutes must be 1 to 10000, was 10001",
                "races --minutes long   | Invalid value for option '--minutes'",
                "soak --duration 10     | Invalid value for option '--duration'",
                "soak --duration 0s     | must be 1 second to 7 days",
                "soak --duration 900000h | must be 1 second to 7 days",
                "soak --threads 65      | --threads must be 1 to 64, was 65",
                "soak --keys 99         | --keys must be 100 to 1000000, was 99",
                "soak --keys 100 --keys 200 | '--keys' (N) should be specified only once"
            })
    void run_misuse_oneLineAndTwo(String args, String message) {
        int code = run(args.split(" ", -1));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("stress: ")
                .contains(message)
                .endsWith("; see 'stress --help'" + System.lineSeparator())
                .hasLineCount(1);
        assertThat(out.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "soak -h", "races --help"})
    void run_help_isShown(String args) {
        assertThat(run(args.isEmpty() ? new String[0] : args.split(" "))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Usage: stress");
    }

    @Test
    void run_soak_runsInAJvmOfItsOwn() {
        int code = run("soak", "--duration", "1s", "--keys", "1,000", "--threads", "2");

        assertThat(code).as("%s%s", out, err).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("run +\\d s, 2 threads, 1,000 keys at a time, heap of 2\\d\\d MB");
        assertThat(err.size()).isZero();
    }
}
