package dev.weir.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                "--minutes 1            | say first what to run: races or soak; see 'stress --help'",
                "run                    | unknown run 'run'; there are races and soak; see 'stress --help'",
                "races --hours 1        | unknown option '--hours'; see 'stress --help'",
                "races 5                | '5' is too many; see 'stress --help'",
                "races --minutes 5 6    | '6' is too many; see 'stress --help'",
                "races --minutes        | --minutes must be 1 to 10000, was ''; see 'stress --help'",
                "races --minutes=       | --minutes must be 1 to 10000, was ''; see 'stress --help'",
                "races --minutes 0      | --minutes must be 1 to 10000, was '0'; see 'stress --help'",
                "races --minutes 10001  | --minutes must be 1 to 10000, was '10001'; see 'stress --help'",
                "races --minutes long   | --minutes must be 1 to 10000, was 'long'; see 'stress --help'"
            })
    void run_misuse_oneLineAndTwo(String args, String message) {
        int code = run(args.split(" ", -1));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("stress: " + message + System.lineSeparator());
        assertThat(out.size()).isZero();
    }

    @Test
    void run_help_isShown() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(Stress.HELP);
    }
}
