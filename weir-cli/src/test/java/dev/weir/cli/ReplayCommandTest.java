package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The inputs of a replay, and its {@code --json} output; the table has its own tests. */
final class ReplayCommandTest {
    private static final String GOLDEN = "{\"requests\":11,\"keys\":3,\"skipped\":0,\"results\":["
            + "{\"limit\":\"sliding-log 2/10s\",\"allowed\":6,\"denied\":5,\"worstWindow\":2,"
            + "\"topDenied\":[{\"key\":\"ann\",\"denied\":4},{\"key\":\"cy\",\"denied\":1}]},"
            + "{\"limit\":\"fixed-window 2/10s\",\"allowed\":8,\"denied\":3,\"worstWindow\":4,"
            + "\"topDenied\":[{\"key\":\"ann\",\"denied\":2},{\"key\":\"cy\",\"denied\":1}]},"
            + "{\"limit\":\"leaky-bucket 2/10s\",\"allowed\":6,\"denied\":5,\"worstWindow\":2,"
            + "\"topDenied\":[{\"key\":\"ann\",\"denied\":4},{\"key\":\"cy\",\"denied\":1}],"
            + "\"delayed\":2,\"maxWaitMillis\":5000}]}\n";
    private static final String[] GOLDEN_ARGS = {
        "replay", "--json", "--limit", "2/10s", "--limit", "fixed-window 2/10s", "--limit", "leaky-bucket 2/10s", "-"
    };

    @TempDir
    private Path directory;

    @Test
    void json_smallLog_isGolden() {
        Run run = new Run.Setup().stdin(Logs.COMBINED).weir(GOLDEN_ARGS);

        assertThat(run.answer()).isEqualTo(GOLDEN);
    }

    @Test
    void json_anyCharset_isTheSameAscii() {
        String log = Logs.COMBINED.replace("ann", "änn");

        Run run = new Run.Setup()
                .charset(StandardCharsets.US_ASCII)
                .terminal(40)
                .stdin(log)
                .weir(GOLDEN_ARGS);

        assertThat(run.outBytes()).isEqualTo(GOLDEN.replace("ann", "\\u00E4nn").getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void json_limits_answerInTheOrderGiven() {
        Run run = new Run.Setup()
                .stdin(Logs.COMBINED)
                .weir("replay", "--json", "--limit=gcra 9/1s burst=9", "--limit=3/1s", "--limit=3/1s", "-");

        assertThat(run.answer())
                .containsSubsequence("\"gcra 9/1s burst=9\"", "\"sliding-log 3/1s\"", "\"sliding-log 3/1s\"");
    }

    @Test
    void json_withoutLimit_triesTheUsualThree() {
        Run run = new Run.Setup().stdin(Logs.COMBINED).weir("replay", "--json", "-");

        assertThat(run.answer())
                .containsSubsequence("\"sliding-log 60/1m\"", "\"fixed-window 60/1m\"", "\"token-bucket 60/1m\"");
    }

    @Test
    void json_manyDenied_namesTenByDenialsThenByKey() {
        StringBuilder log = new StringBuilder();
        for (String host : List.of("m", "c", "k", "a", "e", "g", "i", "b", "d", "f", "h", "j", "l")) {
            log.append((Logs.line(host, "-", "/", 0) + "\n").repeat(host.equals("m") ? 3 : 2));
        }

        Run run = new Run.Setup().stdin(log.toString()).weir("replay", "--json", "--limit", "1/1s", "-");

        assertThat(keys(run.answer())).isEqualTo("m=2 a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1");
    }

    private static String keys(String json) {
        String top = json.replaceAll(".*\"topDenied\":\\[(.*?)].*\n", "$1");
        return top.replaceAll("\\{\"key\":\"(.)\",\"denied\":(\\d)},?", "$1=$2 ")
                .strip();
    }

    @Test
    void json_keyWithAnything_isEscaped() {
        String jsonl = "{\"time\":1,\"id\":\"a\\\"\\\\\\n\\u0007\\u009b\\u202e\\ud83d\\ude00\"}\n";

        Run run =
                new Run.Setup().stdin(jsonl.repeat(2)).weir("replay", "--json", "--limit", "1/1s", "--key", "id", "-");

        assertThat(run.answer()).contains("[{\"key\":\"a\\\"\\\\\\n\\u0007\\u009B\\u202E\\uD83D\\uDE00");
    }

    @Test
    void key_userAndPath_areCountedFor() {
        assertThat(figures("--key", "user")).startsWith("{\"requests\":3,\"keys\":1,\"skipped\":8,");
        assertThat(figures("--key", "path")).startsWith("{\"requests\":11,\"keys\":3,\"skipped\":0,");
    }

    private static String figures(String... args) {
        String[] all = {"replay", "--json", args[0], args[1], "-"};
        return new Run.Setup().stdin(Logs.COMBINED).weir(all).out();
    }

    @Test
    void format_csvJsonlAndRegex_areRead() {
        String csv = "time,who\n2026-03-02T10:00:00Z,ann\n2026-03-02T10:00:01Z,ann\n";
        String jsonl = "{\"time\":1772445600,\"who\":\"ann\"}\n{\"time\":1772445601,\"who\":\"ann\"}\n";
        String spaced = "02.03.2026 10:00:00 ann\n02.03.2026 10:00:01 ann\n";
        String regex = "regex:(?<time>\\S+ \\S+) (?<key>\\S+)";

        String fromCsv = read(csv, "--key", "who", "--format", "csv");

        assertThat(fromCsv).contains("\"requests\":2,\"keys\":1", "\"key\":\"ann\",\"denied\":1");
        assertThat(read(csv, "--key", "who", "--format", "auto")).isEqualTo(fromCsv);
        assertThat(read(jsonl, "--key", "who", "--format", "jsonl")).isEqualTo(fromCsv);
        assertThat(read(spaced, "--time-format", "dd.MM.yyyy HH:mm:ss", "--format", regex))
                .isEqualTo(fromCsv);
    }

    private static String read(String log, String... options) {
        String[] args = {"replay", "--json", "--limit", "1/10s", options[0], options[1], options[2], options[3], "-"};
        return new Run.Setup().stdin(log).weir(args).answer();
    }

    @Test
    void order_file_keepsTheOrderOfLines() {
        String log = Logs.line("a", "-", "/", 9) + "\n" + Logs.line("a", "-", "/", 0) + "\n";
        String[] byTime = {"replay", "--json", "--limit", "1/5s", "-"};
        String[] byFile = {"replay", "--json", "--limit", "1/5s", "--order", "file", "-"};

        assertThat(new Run.Setup().stdin(log).weir(byTime).answer()).contains("\"allowed\":2,");
        assertThat(new Run.Setup().stdin(log).weir(byFile).answer()).contains("\"allowed\":1,");
    }

    @Test
    void gzip_fromFileAndStdin_isUnpacked() {
        byte[] packed = Logs.gzip(Logs.COMBINED);
        String[] fromFile = GOLDEN_ARGS.clone();
        fromFile[fromFile.length - 1] = Logs.file(directory, packed);

        assertThat(weir(fromFile).answer()).isEqualTo(GOLDEN);
        assertThat(new Run.Setup()
                        .stdin(new ByteArrayInputStream(packed))
                        .weir(GOLDEN_ARGS)
                        .answer())
                .isEqualTo(GOLDEN);
    }

    @Test
    void skippedLines_firstFiveAreShownOnStderr() {
        String log = "bad 1\nbad 2\nbad 3\nbad 4\nbad 5\nbad 6\n\n" + Logs.COMBINED;

        Run run = new Run.Setup().stdin(log).weir("replay", "--format", "combined", "--json", "-");

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("{\"requests\":11,\"keys\":3,\"skipped\":6,");
        assertThat(run.err().lines()).hasSize(6).first().isEqualTo("weir: skipped 6 lines, the first of them:");
        assertThat(run.err())
                .contains("  line 1: ", ": bad 1\n", "  line 5: ", ": bad 5\n")
                .doesNotContain("bad 6");
    }

    @Test
    void skippedLine_alone_isShownOnStderr() {
        Run run = new Run.Setup().stdin(Logs.COMBINED + "\u001b[31mbad\n").weir("replay", "--json", "-");

        assertThat(run.err()).startsWith("weir: skipped 1 line:\n  line 12: ").doesNotContain("\u001b");
    }

    @Test
    void unreadableLines_mostOfThem_areRefusedUnlessSkipped() {
        String log = "bad\n".repeat(12) + Logs.COMBINED;

        assertThat(new Run.Setup()
                        .stdin(log)
                        .weir("replay", "--format", "combined", "-")
                        .complaint())
                .startsWith("standard input: 12 of the log's 23 lines cannot be read as combined; line 1: ")
                .endsWith("; --skip-unreadable skips them");
        Run run = new Run.Setup().stdin(log).weir("replay", "--skip-unreadable", "--json", "-");
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("{\"requests\":11,\"keys\":3,\"skipped\":12,");
    }

    @Test
    void forwardedLists_fewOfThem_areSkippedWithAHint() {
        String log = Logs.COMBINED + "203.0.113.9, " + Logs.line("10.0.0.1", "-", "/", 40) + "\n";

        Run run = new Run.Setup().stdin(log).weir("replay", "--json", "-");

        assertThat(run.out()).startsWith("{\"requests\":11,\"keys\":3,\"skipped\":1,");
        assertThat(run.err().lines())
                .hasSize(3)
                .last()
                .isEqualTo(
                        "  --client first, --client last or --client N-from-right chooses the client of a forwarded list");
    }

    @Test
    void client_choice_isTheKeyOfForwardedLists() {
        String log = ("203.0.113.9, 198.51.100.7, " + Logs.line("10.0.0.1", "-", "/", 0) + "\n").repeat(2);

        assertThat(denied(log, "--client", "first")).contains("\"key\":\"203.0.113.9\"");
        assertThat(denied(log, "--client", "2-from-right")).contains("\"key\":\"198.51.100.7\"");
        assertThat(denied(log, "--client", "last")).contains("\"key\":\"10.0.0.1\"");
    }

    private static String denied(String log, String option, String value) {
        return new Run.Setup()
                .stdin(log)
                .weir("replay", "--json", "--limit", "1/1s", option, value, "-")
                .answer();
    }

    @Test
    void limit_wrongText_suggestsQuotesOnlyForASingleWord() {
        assertThat(new Run.Setup().weir("replay", "--limit", "gcra", "-").complaint())
                .contains("in quotes");
        assertThat(new Run.Setup().weir("replay", "--limit", "gcra 5 1s", "-").complaint())
                .doesNotContain("in quotes");
    }

    @Test
    void timeField_ofCsvAndJson_isTheTime() {
        String csv = "when,ip\n2026-03-02T10:00:00Z,192.0.2.1\n2026-03-02T10:00:00Z,192.0.2.1\n";
        String json = "{\"x\":{\"when\":1772445600},\"ip\":\"192.0.2.1\"}\n".repeat(2);

        assertThat(denied(csv, "--time-field", "when")).contains("\"key\":\"192.0.2.1\",\"denied\":1");
        assertThat(denied(json, "--time-field", "x.when")).contains("\"key\":\"192.0.2.1\",\"denied\":1");
        assertThat(new Run.Setup()
                        .stdin(Logs.COMBINED)
                        .weir("replay", "--time-field", "when", "-")
                        .complaint())
                .isEqualTo("standard input: --time-field names a field, which a combined log does not have");
    }

    @Test
    void year_ofTimesWithoutOne_isGivenOrTheFiles() throws IOException {
        String log = "Dec 31 23:59:59 ann\nJan  1 00:00:00 ann\n";
        String regex = "regex:(?<time>\\w+ +\\d+ \\S+) (?<key>\\S+)";
        String file = Logs.file(directory, log);
        Files.setLastModifiedTime(Path.of(file), FileTime.from(Instant.parse("2026-01-05T00:00:00Z")));
        String[] args = {"replay", "--json", "--limit", "1/1s", "--limit", "1/2s", "--format", regex, file};

        assertThat(weir(args).answer()).contains("\"allowed\":2,", "\"allowed\":1,");
        args[args.length - 1] = "-";
        assertThat(new Run.Setup().stdin(log).weir(args).complaint())
                .contains("a time without a year", "--year N gives the year");
        assertThat(new Run.Setup()
                        .stdin(log)
                        .weir("replay", "--json", "--year", "2025", "--format", regex, "-")
                        .answer())
                .startsWith("{\"requests\":2,");
    }

    @Test
    void year_noRequestIsInIt_isNoted() throws IOException {
        String file = Logs.file(directory, "time,id\n2020-12-31T23:59:59Z,ann\n");

        assertThat(weir("replay", "--key", "id", "--year", "2021", file).err())
                .isEqualTo("weir: no request is in 2021; --year is only for times without a year\n");
        assertThat(weir("replay", "--key", "id", "--year", "2020", file).err()).isEmpty();
        assertThat(weir("replay", "--key", "id", "--year", "2261", file).err()).contains("no request is in 2261;");
    }

    @Test
    void file_directory_isRefused() {
        assertThat(weir("replay", directory.toString()).complaint())
                .isEqualTo(directory + " is a directory, not a file");
    }

    @Test
    void log_unusable_isRefusedByName() {
        String empty = Logs.file(directory, "");
        String cut = Logs.file(directory, Arrays.copyOf(Logs.gzip(Logs.COMBINED), 60));

        assertThat(weir("replay", empty).complaint()).isEqualTo(empty + ": the log is empty");
        assertThat(weir("replay", cut).complaint()).startsWith(cut + ": ");
        assertThat(weir("replay", Logs.file(directory, "hello\n")).complaint()).contains("hello");
        assertThat(new Run.Setup().weir("replay", "-").complaint()).isEqualTo("standard input: the log is empty");
        assertThat(new Run.Setup()
                        .stdin(Logs.COMBINED)
                        .weir("replay", "--key", "no", "-")
                        .complaint())
                .isEqualTo("standard input: the key of a combined log must be ip, user or path, was 'no'");
    }

    @Test
    void progress_watched_isDrawnAndErased() {
        String file = Logs.file(directory, Logs.COMBINED);

        Run run = new Run.Setup().watched().environment("NO_COLOR", "1").weir("replay", "--json", file);

        assertThat(run.code()).isZero();
        assertThat(run.err()).startsWith("\rreading ").containsPattern("\\r +\\r\\rreplaying [^\\r]*\\r +\\r$");
    }
}
