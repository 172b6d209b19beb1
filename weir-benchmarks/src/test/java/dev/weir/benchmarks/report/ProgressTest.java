package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String printed(boolean terminal) {
        Progress progress = new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), terminal);
        progress.begin(2, "forks");
        progress.next("first");
        progress.next("second");
        progress.show("");
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void next_terminal_rewritesOneLine() {
        assertThat(printed(true))
                .startsWith("bench: measuring in 2 forks")
                .contains("\r\u001b[Kbench: 1 of 2: first", "\r\u001b[Kbench: 2 of 2, 1 minutes left: second")
                .endsWith("\r\u001b[K");
    }

    @Test
    void next_file_printsNothing() {
        assertThat(printed(false).lines()).containsExactly("bench: measuring in 2 forks");
    }
}
