package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code --compare}: the requests on which two limits differ. */
final class CompareTest {
    private static final String[] TWO = {"--limit", "2/10s", "--limit", "fixed-window 2/10s"};

    private static Run compare(String log, String... options) {
        String[] args = Stream.of(new String[] {"replay", "--compare"}, options, new String[] {"-"})
                .flatMap(Arrays::stream)
                .toArray(String[]::new);
        return new Run.Setup().stdin(log).weir(args);
    }

    @Test
    void compare_differences_areCountedAndListed() {
        String answer = compare(Logs.COMBINED, TWO).answer();

        assertThat(answer).endsWith("""

                the limits differ on 2 requests:
                  0 allowed only by sliding-log 2/10s
                  2 allowed only by fixed-window 2/10s

                key  time                  allowed only by
                ann  2026-03-02T10:00:10Z  fixed-window 2/10s
                ann  2026-03-02T10:00:10Z  fixed-window 2/10s
                """);
    }

    @Test
    void compare_bothDirections_areAttributedToTheRightLimit() {
        String log = "time,ip\n0,198.51.100.1\n1,198.51.100.1\n2,198.51.100.1\n9,198.51.100.1\n10,198.51.100.1\n";
        String answer = compare(log, "--json", "--limit", "gcra 2/10s", "--limit", "fixed-window 3/10s")
                .answer();

        assertThat(answer)
                .contains("\"differences\":[{\"time\":\"1970-01-01T00:00:01Z\",\"key\":\"198.51.100.1\","
                        + "\"permits\":1,\"allowedOnlyBy\":\"fixed-window 3/10s\"},");
        assertThat(answer)
                .contains("\"time\":\"1970-01-01T00:00:09Z\",\"key\":\"198.51.100.1\",\"permits\":1,"
                        + "\"allowedOnlyBy\":\"gcra 2/10s\"}");
    }

    @Test
    void compare_json_listsAllOfThem_andTheRestIsAsWithout() {
        String log =
                (Logs.line("ann", "-", "/", 9) + "\n").repeat(2) + (Logs.line("ann", "-", "/", 10) + "\n").repeat(40);
        String[] limits = {"--json", "--limit", "2/10s", "--limit", "fixed-window 30/10s"};

        String json = compare(log, limits).answer();

        assertThat(json.split("\"allowedOnlyBy\"", -1)).hasSize(1 + 30);
        String plain = new Run.Setup()
                .stdin(log)
                .weir("replay", "--json", "--limit", "2/10s", "--limit", "fixed-window 30/10s", "-")
                .answer();
        assertThat(json)
                .startsWith(plain.substring(0, plain.length() - 2) + ",\"differences\":[")
                .endsWith("]}\n");
    }

    @Test
    void compare_manyDifferences_areCut() {
        String log = (Logs.line("ann", "-", "/", 9) + "\n").repeat(42);

        String answer = compare(log, "--limit", "2/10s", "--limit", "1000/10s").answer();

        assertThat(answer)
                .contains("the limits differ on 40 requests:")
                .endsWith("and 20 more; --json lists all of them\n");
        assertThat(answer.lines().filter(line -> line.startsWith("ann"))).hasSize(20);
    }

    @Test
    void compare_sameLimit_differsOnNothing() {
        assertThat(compare(Logs.COMBINED, "--limit", "2/10s", "--limit", "2/10s")
                        .answer())
                .endsWith("\n\nthe limits differ on no request\n");
    }

    @Test
    void compare_notTwoLimits_isRefused() {
        assertThat(compare(Logs.COMBINED).complaint()).isEqualTo("--compare needs two --limit, was 0");
        assertThat(compare(Logs.COMBINED, "--limit", "2/10s").complaint())
                .isEqualTo("--compare needs two --limit, was 1");
    }

    @Test
    void json_closedPipe_endsQuietly() {
        Run run = new Run.Setup()
                .stdout(Run.failing("Broken pipe"))
                .stdin(Logs.COMBINED)
                .weir("replay", "--json", "-");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
    }
}
