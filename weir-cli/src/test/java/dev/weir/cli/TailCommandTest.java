package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.terminal.TerminalSize;
import dev.weir.testing.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TailCommandTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** A command that runs until it is stopped, in a thread of its own. */
    private final class Running {
        private final AtomicReference<Run> run = new AtomicReference<>();
        private final Thread thread;

        Running(Run.Setup setup, String... args) {
            thread = new Thread(() -> run.set(setup.stdout(out).weir(args)));
            thread.start();
        }

        void awaitShown(String text) {
            Await.until("'" + text + "' is shown", () -> shown().contains(text), () -> ", but " + shown());
        }

        /** Stops it as a signal does, and returns its exit code. */
        int stop() throws InterruptedException {
            thread.interrupt();
            thread.join();
            return run.get().code();
        }

        String notes() {
            return run.get().err();
        }
    }

    private static String lines(String host, int count) {
        return (Logs.line(host, "-", "/", 1) + "\n").repeat(count);
    }

    @Test
    void tail_standardInputThatEnds_printsTheSummary() {
        Run run = new Run.Setup().stdin(Logs.COMBINED).weir("tail", "--limit=2/10s", "--limit=fixed-window 2/10s", "-");

        assertThat(run.summary()).isEqualTo("""

                        11 requests

                        limit               allowed  denied
                        sliding-log 2/10s         6       5  45.5%
                        fixed-window 2/10s        8       3  27.3%

                        most denied by
                        sliding-log 2/10s   fixed-window 2/10s
                          4  ann              2  ann
                          1  cy               1  cy
                        """);
    }

    /** The same limits, log and decisions as a replay. */
    @Test
    void tail_anyLog_decidesAsReplayDoes() {
        List<String> limits = List.of(
                "--limit=2/10s",
                "--limit=leaky-bucket 2/10s",
                "--limit=gcra 2/10s burst=2",
                "--key=path",
                "--json",
                "-");

        String tail = answer("tail", limits);
        String replay = answer("replay", limits);

        for (String figure : new String[] {
            "\"limit\":\"sliding-log 2/10s\",\"allowed\":6,\"denied\":5",
            "\"limit\":\"leaky-bucket 2/10s\",\"allowed\":6,\"denied\":5",
            "\"limit\":\"gcra 2/10s burst=2\",\"allowed\":6,\"denied\":5"
        }) {
            assertThat(tail).contains(figure);
            assertThat(replay).contains(figure);
        }
    }

    private static String answer(String command, List<String> options) {
        String[] args = Stream.concat(Stream.of(command), options.stream()).toArray(String[]::new);
        return new Run.Setup().stdin(Logs.COMBINED).weir(args).answer();
    }

    @Test
    void tail_json_endsWithTheTotal() {
        String log = Logs.COMBINED.replace("ann", "änn");

        Run run = new Run.Setup().stdin(log).weir("tail", "--limit=2/10s", "--json", "-");

        assertThat(run.answer())
                .matches(
                        "(\\{\"kind\":\"second\".*\n)*\\{\"kind\":\"total\",\"time\":\"[-0-9]+T[:0-9]+\\.\\d{3}Z\",\"requests\":11,\"late\":0,\"skipped\":0,\"limits\":\\[\\{\"limit\":"
                                + "\"sliding-log 2/10s\",\"allowed\":6,\"denied\":5,\"topDenied\":\\[\\{\"key\":\"\\\\u00E4nn\","
                                + "\"denied\":4},\\{\"key\":\"cy\",\"denied\":1}]}]}\n");
    }

    @Test
    void tail_fileThatGrowsAndRotates_showsNewLinesOnly() throws Exception {
        Path log = Files.writeString(directory.resolve("access.log"), lines("before", 5));
        Running running = new Running(new Run.Setup(), "tail", "--limit=3/1m", log.toString());
        running.awaitShown("  0 requests  sliding-log 3/1m: 0 allowed, 0 denied\n");

        Files.writeString(log, lines("one", 4), StandardOpenOption.APPEND);
        running.awaitShown(" allowed, 1 denied, most of all one (1)\n"); // maybe not all four in the same second
        Files.move(log, directory.resolve("access.log.1"));
        Files.writeString(log, lines("one", 2));
        running.awaitShown(" denied, most of all one (3)\n");
        Files.writeString(log, lines("two", 1), StandardOpenOption.TRUNCATE_EXISTING);
        running.awaitShown("  1 request  sliding-log 3/1m: 1 allowed, 0 denied\n");

        assertThat(running.stop()).isZero();
        assertThat(shown())
                .endsWith("\n7 requests\n\nlimit             allowed  denied\nsliding-log 3/1m        4       3"
                        + "  42.9%\n\nmost denied\n  3  one\n");
        assertThat(running.notes())
                .isEqualTo("weir: counting from the end of " + log + "; --from-start also counts what it contains\n");
    }

    @Test
    void tail_fromStart_readsWhatIsThere() throws Exception {
        Path log = Files.writeString(directory.resolve("access.log"), lines("before", 5));
        Running running = new Running(new Run.Setup(), "tail", "--from-start", "--limit=3/1m", log.toString());

        running.awaitShown(" denied, most of all before (2)\n"); // so all are read
        assertThat(running.stop()).isZero();
        assertThat(shown()).contains("\n5 requests\n");
        assertThat(running.notes()).isEmpty();
    }

    @Test
    void tail_csvFromItsEnd_knowsTheHeader() throws Exception {
        Path log = Files.writeString(directory.resolve("app.csv"), "user,time\nann,1700000000\n");
        Running running = new Running(new Run.Setup(), "tail", "--key=user", "--limit=1/1m", log.toString());
        running.awaitShown("  0 requests");

        Files.writeString(log, "bob,1700000001\nbob,1700000002\n", StandardOpenOption.APPEND);
        running.awaitShown(" 1 denied, most of all bob (1)\n");

        assertThat(running.stop()).isZero();
    }

    @Test
    void tail_byteOrderMark_isNoPartOfTheHeader() throws Exception {
        String csv = "\uFEFFuser,time\nann,1700000000\n";
        Path log = Files.writeString(directory.resolve("app.csv"), csv);
        Running running = new Running(new Run.Setup(), "tail", "--key=user", "--limit=1/1m", log.toString());
        running.awaitShown("  0 requests");
        Files.writeString(log, "bob,1700000001\n", StandardOpenOption.APPEND);
        running.awaitShown("  1 request ");

        assertThat(running.stop()).isZero();
        assertThat(new Run.Setup()
                        .stdin(csv)
                        .weir("tail", "--key=user", "--limit=1/1m", "-")
                        .answer())
                .contains("\n1 request\n");
    }

    @Test
    void tail_textThatIsNotUtf8_saysSo() {
        byte[] utf16 = Logs.COMBINED.getBytes(StandardCharsets.UTF_16);
        assertThat(new Run.Setup()
                        .stdin(new ByteArrayInputStream(utf16))
                        .weir("tail", "-")
                        .complaint())
                .isEqualTo("standard input: the log is UTF-16 text; convert it to UTF-8 first");

        byte[] latin1 = "time,user\n1,J\u00f6rg\n2,J\u00e4rg\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(new Run.Setup()
                        .stdin(new ByteArrayInputStream(latin1))
                        .weir("tail", "--key=user", "-")
                        .answer())
                .contains("0 requests, 2 lines skipped, the last one: a key that is not UTF-8: ");
    }

    @Test
    void tail_terminal_drawsInPlace() throws Exception {
        PipedOutputStream log = new PipedOutputStream();
        Running running = new Running(
                new Run.Setup().terminal(70).stdin(new PipedInputStream(log, 1 << 16)), "tail", "--limit=3/1m", "-");
        log.write(lines("one", 5).getBytes(StandardCharsets.UTF_8));
        log.flush();
        running.awaitShown("most denied\u001b[0m\n  2  one\n");
        log.close();

        Await.until("it ended", () -> !running.thread.isAlive());
        assertThat(running.run.get().code()).isZero();
        assertThat(shown())
                .contains("\u001b[1mallowed/s\u001b[0m")
                .containsPattern("\u001b\\[\\d+A\r\u001b\\[J")
                .doesNotContain("sliding-log 3/1m: ");
        // A block has as many rows as lines, however wide they are; the summary may be wrapped.
        assertThat(shown()).containsPattern("\u001b\\[J\u001b\\[\\?7l[^?]+  2  one\n\u001b\\[\\?7h");
        assertThat(shown().substring(shown().lastIndexOf("\u001b[J")))
                .contains("\n\n")
                .contains("5 requests")
                .doesNotContain("allowed/s", "\u001b[?7");
    }

    @Test
    void tail_terminal_showsAllCountsInALine() throws Exception {
        PipedOutputStream log = new PipedOutputStream();
        Running running = new Running(
                new Run.Setup().terminal(70).stdin(new PipedInputStream(log, 1 << 16)), "tail", "--key=key", "-");
        log.write("{\"time\":2,\"key\":\"a\"}\n{\"time\":1,\"key\":\"a\"}\n{}\n".getBytes(StandardCharsets.UTF_8));
        log.flush();
        running.awaitShown("  2 requests, 1 late, 1 line skipped, ");
        log.close();

        Await.until("it ended", () -> !running.thread.isAlive());
    }

    @Test
    void tail_lowTerminal_keepsTheHeadInSight() throws Exception {
        AtomicReference<TerminalSize> size = new AtomicReference<>(new TerminalSize(6, 70));
        PipedOutputStream log = new PipedOutputStream();
        Running running = new Running(
                new Run.Setup().terminal(size::get).stdin(new PipedInputStream(log, 1 << 16)),
                "tail",
                "--limit=3/1m",
                "-");
        log.write(lines("one", 5).getBytes(StandardCharsets.UTF_8));
        log.flush();
        running.awaitShown("  5 requests\n");
        assertThat(shown()).doesNotContain("  2  one");

        size.set(new TerminalSize(20, 70));
        running.awaitShown("\u001b[5A\r\u001b[J"); // five of six rows were drawn
        running.awaitShown("\u001b[H\r\u001b[J");
        running.awaitShown("most denied\u001b[0m\n  2  one\n");
        log.close();

        Await.until("it ended", () -> !running.thread.isAlive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_COLOR", "TERM"})
    void tail_coloursNotWanted_areNotUsed(String variable) {
        Run run = new Run.Setup()
                .terminal(70)
                .environment(variable, "dumb")
                .stdin(Logs.COMBINED)
                .weir("tail", "--limit=2/10s", "-");

        assertThat(run.answer()).contains("11 requests").doesNotContainPattern("\u001b\\[\\d*m");
    }

    @Test
    void tail_linesOutOfOrder_areCounted() {
        String log = Stream.of(5, 9, 6, 7, 8)
                .map(second -> "{\"time\":" + second + ",\"key\":\"ann\"}\n")
                .collect(Collectors.joining());

        String answer = new Run.Setup()
                .stdin(log)
                .weir("tail", "--limit=1/1s", "--key=key", "-")
                .answer();

        assertThat(answer)
                .contains("\n5 requests, 3 late (dated before an earlier one; weir replay sorts them)\n")
                .contains("2       3  60.0%");
    }

    @Test
    void tail_keysThatSteerATerminal_areSpelledOut() {
        String log = "{\"time\":1700000000,\"key\":\"\\u001b[2J\\u202Eevil\"}\n".repeat(3);

        Run run = new Run.Setup().stdin(log).weir("tail", "--limit=1/1m", "--key=key", "-");

        assertThat(run.answer()).contains("  2  \\x1b[2J\\u202eevil\n").doesNotContain("\u001b", "\u202e");
    }

    @Test
    void tail_linesThatAreNoRequests_areCountedAndExplained() {
        Run run = new Run.Setup().stdin(Logs.COMBINED + "\u001b[31mfault\n\n").weir("tail", "--limit=2/10s", "-");

        assertThat(run.answer())
                .contains("\n11 requests, 1 line skipped, the last one: ")
                .doesNotContain("\u001b");
    }

    /** While as many keys as allowed are active, new ones are denied. */
    @Test
    void tail_moreKeysThanAllowed_countsAll() {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            log.append(Logs.line("10.0." + i / 250 + "." + i % 250, "-", "/", 1))
                    .append('\n');
        }

        String answer = new Run.Setup()
                .stdin(log.toString())
                .weir("tail", "--limit=1/1m", "--max-keys=10", "--json", "-")
                .answer();

        assertThat(answer).contains("\"requests\":2000").contains("\"denied\":1990,");
    }

    @Test
    void tail_logWithoutFormat_saysSo() {
        Run run = new Run.Setup().stdin("nothing\nto see\n").weir("tail", "-");

        assertThat(run.complaint()).startsWith("standard input: the log's format does not show in its first lines");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--format=auto", "--format=combined"})
    void tail_compressedLog_saysSo(String format) throws IOException {
        byte[] packed = Logs.gzip(Logs.COMBINED);
        Path log = Files.write(directory.resolve("a.log.gz"), packed);
        String complaint =
                ": compressed logs are not followed, and this one is packed by gzip; unpack it, or use weir replay, which reads gzip";

        assertThat(Run.weir("tail", format, log.toString()).complaint()).isEqualTo(log + complaint);
        assertThat(Run.weir("tail", format, "--from-start", log.toString()).complaint())
                .isEqualTo(log + complaint);
        assertThat(new Run.Setup()
                        .stdin(new ByteArrayInputStream(packed))
                        .weir("tail", format, "-")
                        .complaint())
                .isEqualTo("standard input" + complaint);
    }

    @Test
    void tail_mistakes_areOneLine() throws IOException {
        assertThat(Run.weir("tail", "missing.log").complaint())
                .isEqualTo("cannot read missing.log: there is no such file");
        assertThat(Run.weir("tail", "127.0.0.1:8080").complaint())
                .isEqualTo(
                        "cannot read 127.0.0.1:8080: there is no such file; the address of a server begins with http://");
        assertThat(Run.weir("tail", directory.toString()).complaint()).endsWith(" is a directory, not a file");
        assertThat(Run.weir("tail", "--max-keys=0", "-").complaint())
                .startsWith("--max-keys must be a whole number from 1 to 1000000000, was '0'");
        assertThat(Run.weir("tail", "--limit=fast", "-").complaint()).startsWith("--limit");
        assertThat(Run.weir("tail").complaint()).contains("FILE");
    }

    @Test
    void tail_emptyStandardInput_isNoFault() {
        assertThat(Run.weir("tail", "--limit=1/1m", "-").answer()).contains("0 requests", "nobody was denied");
    }
}
