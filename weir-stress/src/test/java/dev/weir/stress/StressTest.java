package dev.weir.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.soak.Soak;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
                "races --minutes        | --minutes needs a value; see 'stress --help'",
                "races --minutes=       | --minutes needs a value; see 'stress --help'",
                "races --minutes 0      | --minutes must be 1 to 10000, was 0",
                "races --minutes 10001  | --minutes must be 1 to 10000, was 10001",
                "races --minutes long   | --minutes must be a whole number, was 'long'",
                "soak --duration 10     | --duration must be a time such as 5s, 10m or 1h, was '10'",
                "soak --duration 0s     | --duration must be 1 second to 7 days, was 0s",
                "soak --duration 900000h | --duration must be 1 second to 7 days, was 900000h",
                "soak --threads 65      | --threads must be 1 to 64, was 65",
                "soak --keys 99         | --keys must be 100 to 1000000, was 99",
                "soak --keys 100 --keys 200 | --keys is given twice"
            })
    void run_misuse_oneLineAndTwo(String args, String message) {
        int code = run(args.split(" ", -1));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("stress: " + message + System.lineSeparator());
        assertThat(out.size()).isZero();
    }

    @Test
    void soakOptions_someGiven_othersAreDefaults() {
        assertThat(Stress.soakOptions(List.of())).isEqualTo(new Soak.Options(Duration.ofMinutes(10), 4, 200_000));
        assertThat(Stress.soakOptions(List.of("--duration=5s", "--threads", "2", "--keys", "20,000")))
                .isEqualTo(new Soak.Options(Duration.ofSeconds(5), 2, 20_000));
    }

    @Test
    void run_help_isShown() {
        assertThat(run("soak", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(Stress.HELP);
    }

    @Test
    void run_soak_runsInAJvmOfItsOwn() {
        int code = run("soak", "--duration", "1s", "--keys", "1000", "--threads", "2");

        assertThat(code).as("%s%s", out, err).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("run +\\d s, 2 threads, 1,000 keys at a time, heap of 2\\d\\d MB");
        assertThat(err.size()).isZero();
    }
}
