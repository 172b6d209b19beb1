package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.terminal.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table that people read. */
final class ReplayTableTest {

    @Test
    void table_severalLimits_isGoldenAt80Columns() {
        String table = plain(80).weir(replay("2/10s", "fixed-window 2/10s")).answer();

        assertThat(table).isEqualTo("""
                        11 requests by 3 keys

                        limit               allowed  denied         worst window
                        ────────────────────────────────────────────────────────────────────────────────
                        sliding-log 2/10s         6       5  45.5%        2 of 2  holds  ████████
                        fixed-window 2/10s        8       3  27.3%        4 of 2  2.0×   ████████▒▒▒▒▒▒▒

                        most denied by
                        sliding-log 2/10s   fixed-window 2/10s
                          4  ann              2  ann
                          1  cy               1  cy
                        """);
    }

    @Test
    void table_queueAmongLimits_showsWaits() {
        String table = plain(80).weir(replay("2/10s", "leaky-bucket 2/10s")).answer();

        assertThat(table).isEqualTo("""
                        11 requests by 3 keys

                        limit               allowed  denied             delayed  worst window
                        ────────────────────────────────────────────────────────────────────────────
                        sliding-log 2/10s         6       5  45.5%                     2 of 2  holds
                        leaky-bucket 2/10s        6       5  45.5%  2 up to 5 s        2 of 2  holds

                        most denied by
                        sliding-log 2/10s   leaky-bucket 2/10s
                          4  ann              4  ann
                          1  cy               1  cy
                        """);
    }

    @Test
    void table_oneLimitWithoutUnicode_isPlainAscii() {
        String table = plain(80)
                .charset(StandardCharsets.US_ASCII)
                .weir(replay("fixed-window 2/10s"))
                .answer();

        assertThat(table).isEqualTo("""
                        11 requests by 3 keys

                        limit               allowed  denied         worst window
                        --------------------------------------------------------------------------------
                        fixed-window 2/10s        8       3  27.3%        4 of 2  2.0x  ########!!!!!!!!

                        most denied
                          2  ann
                          1  cy
                        """);
    }

    @Test
    void table_noneDenied_isReported() {
        assertThat(plain(80).weir(replay("60/1m", "gcra 60/1m burst=60")).answer())
                .endsWith("\n\nnobody was denied\n");
        assertThat(plain(80)
                        .weir(replay("60/1m", "2/10s", "gcra 60/1m burst=60"))
                        .answer())
                .endsWith("\n\nmost denied by\nsliding-log 2/10s\n  4  ann\n  1  cy\n");
    }

    @Test
    void table_worstWindow_isGreenOrRed() {
        String table = new Run.Setup()
                .terminal(80)
                .stdin(Logs.COMBINED)
                .weir(replay("2/10s", "fixed-window 2/10s"))
                .answer();

        assertThat(table).contains("\u001b[32m2 of 2\u001b[0m", "\u001b[31m4 of 2\u001b[0m");
    }

    @Test
    void table_coloursUnwanted_hasNone() {
        Run.Setup noColour = new Run.Setup().terminal(80).environment("NO_COLOR", "1");
        Run.Setup emptyNoColour = new Run.Setup().terminal(80).environment("NO_COLOR", "");
        Run.Setup dumb = new Run.Setup().terminal(80).environment("TERM", "dumb");

        assertThat(noColour.stdin(Logs.COMBINED).weir(replay("2/10s")).answer()).doesNotContain("\u001b");
        assertThat(dumb.stdin(Logs.COMBINED).weir(replay("2/10s")).answer()).doesNotContain("\u001b");
        assertThat(emptyNoColour.stdin(Logs.COMBINED).weir(replay("2/10s")).answer())
                .contains("\u001b");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 45, 49, 50, 55, 60, 72, 80, 100, 200})
    void table_terminal_isNeverWiderThanIt(int columns) {
        String log = (Logs.line("2001:db8:85a3::8a2e:370:7334", "-", "/", 0) + "\n").repeat(9) + Logs.COMBINED;
        String[] args =
                replay("2/10s", "sliding-window 2/10s buckets=7 estimate=classic", "leaky-bucket 2/10s", "2/1h");

        String table = plain(columns).stdin(log).weir(args).answer();

        assertThat(table.lines())
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(columns));
    }

    @Test
    void table_narrowTerminal_isABlockForEachLimit() {
        String log = Logs.COMBINED + "bad\n".repeat(3);

        Run run = plain(40).stdin(log).weir(replay("2/10s", "fixed-window 2/10s", "leaky-bucket 2/10s"));

        assertThat(run.out()).isEqualTo("""
                        11 requests by 3 keys, 3 lines skipped

                        sliding-log 2/10s
                          allowed  6
                          denied   5  45.5%
                          worst    2 of 2  holds

                        fixed-window 2/10s
                          allowed  8
                          denied   3  27.3%
                          worst    4 of 2  2.0×

                        leaky-bucket 2/10s
                          allowed  6
                          denied   5  45.5%
                          delayed  2 up to 5 s
                          worst    2 of 2  holds

                        most denied by
                        sliding-log 2/10s   fixed-window 2/10s
                          4  ann              2  ann
                          1  cy               1  cy

                        leaky-bucket 2/10s
                          4  ann
                          1  cy
                        """);
    }

    @Test
    void table_narrowFile_isATable() {
        String table = new Run.Setup()
                .environment("COLUMNS", "40")
                .stdin(Logs.COMBINED)
                .weir(replay("2/10s"))
                .answer();

        assertThat(table).contains("worst window");
    }

    @Test
    void table_longKeys_areCutOnTerminalOnly() {
        String path = "/" + "x".repeat(300);
        String log = (Logs.line("a", "-", path, 0) + "\n").repeat(2);
        String[] args = {"replay", "--key", "path", "--limit", "1/1s", "-"};

        assertThat(new Run.Setup().stdin(log).weir(args).answer()).contains(path);
        assertThat(plain(80).stdin(log).weir(args).answer())
                .doesNotContain(path)
                .contains("xxx…\n");
    }

    @Test
    void table_unlimited_hasNoWorstWindow() {
        assertThat(plain(80).weir(replay("unlimited")).answer()).contains("\nunlimited       11       0  0.0%\n");
        assertThat(plain(20).weir(replay("unlimited")).answer()).doesNotContain("worst");
        assertThat(plain(80)
                        .weir("replay", "--limit", "unlimited", "--json", "-")
                        .answer())
                .contains("\"worstWindow\"");
    }

    @Test
    void table_keyWithEscapeCodes_isHarmless() {
        String log = "time,id\n1,\"\u001b]0;owned\u0007\u202e\"\n1,\"\u001b]0;owned\u0007\u202e\"\n";

        Run run = plain(80).stdin(log).weir("replay", "--limit", "1/1s", "--key", "id", "-");

        assertThat(run.answer()).contains("  1  \\x1b]0;owned\\x07\\u202e\n");
    }

    @Test
    void table_largestNumbers_areShown() {
        String most = Long.toString(Long.MAX_VALUE);

        String table = plain(80).weir(replay(most + "/1d", most + "/26645d")).answer();

        assertThat(table).contains("6 of 9,223,372,036,854,775,807");
        assertThat(table.lines())
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(80));
    }

    @Test
    void table_twentyLimits_staysShort() {
        List<String> limits = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            limits.add("1/" + i + "s");
        }

        assertThat(plain(80)
                        .weir(replay(limits.toArray(String[]::new)))
                        .answer()
                        .lines())
                .hasSizeLessThan(60);
    }

    @Test
    void table_skippedLines_areCounted() {
        Run run = plain(80).stdin(Logs.COMBINED + "bad\nbad\n").weir("replay", "-");

        assertThat(run.out()).startsWith("11 requests by 3 keys, 2 lines skipped\n");
    }

    private static Run.Setup plain(int columns) {
        return new Run.Setup().terminal(columns).environment("NO_COLOR", "1").stdin(Logs.COMBINED);
    }

    private static String[] replay(String... limits) {
        List<String> args = new ArrayList<>(List.of("replay"));
        for (String limit : limits) {
            args.addAll(List.of("--limit", limit));
        }
        args.add("-");
        return args.toArray(String[]::new);
    }
}
