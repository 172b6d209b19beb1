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
        progress.begin(2, "forks", 90);
        progress.next("first");
        progress.clear();
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void next_terminal_rewritesOneLine() {
        assertThat(printed(true))
                .startsWith("bench: measuring in 2 forks, this takes about 2 minutes")
                .contains("\r\u001b[Kbench: 1 of 2, 2 minutes left: first")
                .endsWith("\r\u001b[K");
    }

    @Test
    void next_file_saysNothingMore() {
        assertThat(printed(false).lines()).containsExactly("bench: measuring in 2 forks, this takes about 2 minutes");
    }
}
