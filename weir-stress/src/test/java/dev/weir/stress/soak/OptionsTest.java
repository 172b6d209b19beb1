package dev.weir.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.stress.UsageException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {

    @Test
    void parse_nothing_isTenMinutes() {
        assertThat(Options.parse()).isEqualTo(new Options(false, Duration.ofMinutes(10), 4, 200_000));
    }

    @Test
    void parse_all_isTaken() {
        assertThat(Options.parse("--duration=5s", "--threads", "2", "--keys", "20,000"))
                .isEqualTo(new Options(false, Duration.ofSeconds(5), 2, 20_000));
        assertThat(Options.parse("-h").help()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--duration | --duration needs a value; see 'stress soak --help'",
                "--duration 10 | --duration must be a time such as 5s, 10m or 1h, was '10'",
                "--duration 0s | --duration must be 1 second to 7 days, was 0s",
                "--duration 900000h | --duration must be 1 second to 7 days, was 900000h",
                "--threads 0 | --threads must be 1 to 64, was 0",
                "--threads many | --threads must be a whole number, was 'many'",
                "--keys 99 | --keys must be 100 to 1000000, was 99",
                "--keys 100 --keys 200 | --keys is given twice",
                "--fast | unknown option '--fast'; see 'stress soak --help'",
                "fast | 'fast' is too many; see 'stress soak --help'",
            })
    void parse_misuse_saysWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> Options.parse(line.split(" ", -1)))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }
}
