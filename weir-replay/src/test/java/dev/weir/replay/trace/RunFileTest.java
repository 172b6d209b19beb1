package dev.weir.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
    @Test
    void close_leavesNoFile(@TempDir Path directory) throws IOException {
        try (TraceBuilder builder = new TraceBuilder(10, directory)) {
            for (int i = 0; i < 100; i++) {
                builder.add(i, i, 1);
            }
            builder.build(0, List.of(), null).close();
        }

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void constructor_directoryThatIsNotThere_reportsWhereAndWhatToDo(@TempDir Path directory) {
        Path absent = directory.resolve("absent");

        assertThatThrownBy(() -> new RunFile(absent))
                .isInstanceOf(LogException.class)
                .hasMessageStartingWith(
                        "the log is too long for memory, and the temporary file for it in " + absent + " fails: ")
                .hasMessageEndingWith("; JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR puts it elsewhere");
    }
}
