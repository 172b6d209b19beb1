package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of a configuration that cannot be used. */
final class ConfigurationExceptionTest {
    private static ConfigurationException problems(int number) {
        List<Problem> problems = IntStream.rangeClosed(1, number)
                .mapToObj(line -> new Problem("a.yaml", line, 1, "unknown key"))
                .toList();
        return new ConfigurationException(problems);
    }

    @Test
    void message_hundredProblems_hasAll() {
        assertThat(problems(100).getMessage().lines()).hasSize(100).last().isEqualTo("a.yaml:100:1: unknown key");
    }

    @Test
    void message_moreThanAHundredProblems_countsTheOthers() {
        assertThat(problems(101).getMessage().lines())
                .hasSize(101)
                .contains("a.yaml:100:1: unknown key")
                .last()
                .isEqualTo("and 1 more problem");
        assertThat(problems(50_000).getMessage()).endsWith("\nand 49900 more problems");
        assertThat(problems(50_000).problems()).hasSize(50_000);
    }
}
