package dev.weir.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @Test
    void parse_options() {
        assertThat(Options.parse()).isEqualTo(new Options(60, false, false));
        assertThat(Options.parse("--faults", "--seconds", "8", "--json")).isEqualTo(new Options(8, true, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--seconds", "--seconds 0", "--seconds -1", "--seconds 1s", "--fast", "--faults --seconds 7"})
    void parse_misuse_namesTheOption(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(line.split(" ", -1)))
                .withMessageContaining(line.split(" ", -1)[0]);
    }
}
