package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line: options, and one line for every mistake. */
final class BenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int bench(String... args) {
        return Bench.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "-h", "memory --help", "redis -h", "promise -h"})
    void run_help_isShown(String args) {
        assertThat(bench(args.isEmpty() ? new String[0] : args.split(" "))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Usage: bench [-h] [--quick] [--smoke] [--json=FILE] [--log=FILE]")
                .contains("memory|redis|web|server|keys|promise")
                .contains("2   usage, or a file that cannot be read or written");
        assertThat(err.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "disk                      | 'disk'",
                "--quick                   | Missing required parameter",
                "memory --fast             | Unknown option: '--fast'",
                "memory -q                 | Unknown option: '-q'",
                "memory redis              | Unmatched argument at index 1: 'redis'",
                "redis --slow              | Unknown option: '--slow'",
                "memory --quick --quick    | '--quick' should be specified only once",
                "memory --json a --json=b  | '--json' (FILE) should be specified only once",
                "memory --quick=yes        | '--quick'",
                "memory --json             | Missing required parameter for option '--json'",
                "memory --json --quick     | '--json'",
                "memory --json no/such/directory/a | cannot write no/such/directory/a",
                "memory --json .           | cannot write .",
                "promise --picture .       | cannot write .",
                "promise --log no/such/log | cannot read no/such/log",
                "promise --log .           | cannot read .",
                "memory --picture a        | --picture is for promise",
                "memory --json \0          | '--json'"
            })
    void run_mistake_isOneLine(String args, String complaint) {
        assertThat(bench(args.split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("bench: ")
                .contains(complaint)
                .endsWith("; see 'bench --help'" + System.lineSeparator())
                .hasLineCount(1);
        assertThat(out.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory | [goals, times, memory]",
                "redis | [redis-goals, redis]",
                "web | [web]",
                "server | [server]",
                "keys | [random-keys]",
                "promise | [promise, promise-configuration]"
            })
    void run_pageWithoutPlaces_isRefused(String store, String places, @TempDir Path directory) throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"), "<!-- bench: goals -->\n<!-- bench: end -->\n");

        assertThat(bench(store, "--write", page.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("must be a page with a place for each of " + places);
    }
}
