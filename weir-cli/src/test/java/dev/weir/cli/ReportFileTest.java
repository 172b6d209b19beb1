package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.docs.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --report}: which file is written when, and that its figures are those of {@code --json}. */
final class ReportFileTest {
    private static final String EXAMPLE =
            Pages.ROOT.resolve("examples/access.log").toString();
    private static final Pattern JSON_RESULT = Pattern.compile(
            "\"limit\":\"([^\"]*)\",\"allowed\":(\\d+),\"denied\":(\\d+),\"worstWindow\":(\\d+),\"topDenied\":\\[(.*?)]");
    private static final Pattern HTML_RESULT = Pattern.compile(
            "<span class=\"lim\"><b>([^<]*)</b>([^<]*)</span></div>.*?<b>([\\d,]+)</b> allowed.*?>([\\d,]+)</b> denied.*?"
                    + "worst window <b>([\\d,]+)</b>");
    private static final Pattern HTML_CLIENT = Pattern.compile(
            "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><bdi class=\"k\">([^<]*)</bdi>.*?<td role=\"cell\" class=\"num (?:den|z)\" data-l=\"[^\"]*\">([\\d,]+)<");
    private static final Pattern JSON_KEY = Pattern.compile("\"key\":\"([^\"]*)\",\"denied\":(\\d+)");

    @TempDir
    private Path directory;

    @Test
    void report_figures_areThoseOfTheJson() throws IOException {
        Path file = directory.resolve("out.html");
        String json = weir(
                        "replay",
                        "--json",
                        "--limit=15/1m",
                        "--limit=fixed-window 15/1m",
                        "--limit=token-bucket 15/1m",
                        "--limit=leaky-bucket 15/1m",
                        "--report",
                        file.toString(),
                        EXAMPLE)
                .answer();
        String html = Files.readString(file);

        assertThat(htmlResults(html)).hasSize(4).isEqualTo(jsonResults(json));
        assertThat(clients(html)).hasSizeGreaterThan(5).isEqualTo(topOfFirst(json));
        assertThat(html).contains("<b>2,000</b> requests by <b>80</b>");
    }

    private static List<String> jsonResults(String json) {
        return JSON_RESULT
                .matcher(json)
                .results()
                .map(result -> result.group(1) + ": " + result.group(2) + " " + result.group(3) + " " + result.group(4))
                .toList();
    }

    private static List<String> htmlResults(String html) {
        return HTML_RESULT
                .matcher(html)
                .results()
                .map(result -> result.group(1) + result.group(2) + ": " + digits(result, 3) + " " + digits(result, 4)
                        + " " + digits(result, 5))
                .toList();
    }

    /** The most denied keys of the first limit, of which the report shows at least as many as the JSON. */
    private static List<String> topOfFirst(String json) {
        MatchResult first = JSON_RESULT.matcher(json).results().findFirst().orElseThrow();
        return JSON_KEY.matcher(first.group(5))
                .results()
                .map(key -> key.group(1) + " " + key.group(2))
                .toList();
    }

    private static List<String> clients(String html) {
        List<String> clients = new ArrayList<>(HTML_CLIENT
                .matcher(html)
                .results()
                .map(client -> client.group(1) + " " + digits(client, 2))
                .toList());
        return clients.subList(0, Math.min(10, clients.size()));
    }

    private static String digits(MatchResult result, int group) {
        return result.group(group).replace(",", "");
    }

    @Test
    void report_withoutJson_leavesTheTableAsItIs() {
        String file = directory.resolve("out.html").toString();

        assertThat(weir("replay", "--report", file, EXAMPLE).answer())
                .isEqualTo(weir("replay", EXAMPLE).answer());
    }

    @Test
    void report_command_canBeRepeatedAndHidesCredentials() {
        assertThat(CommandText.of(
                        List.of("replay", "--limit", "gcra 1/1s", "--redis=redis://u:s3cret@h:1/0", "it's.log")))
                .isEqualTo("weir replay --limit 'gcra 1/1s' --redis=redis://...@h:1/0 'it'\\''s.log'");
    }

    @Test
    void report_regex_isAboutKeys() throws IOException {
        Path file = directory.resolve("out.html");
        Run run = new Run.Setup()
                .stdin("1 a\n1 a\n")
                .weir("replay", "--format", "regex:(?<time>\\S+) (?<key>\\S+)", "--report", file.toString(), "-");

        assertThat(run.answer()).isNotEmpty();
        assertThat(Files.readString(file)).contains("standard input", "1</b> key,", "The busiest key requests 2 in");
    }

    @Test
    void report_svg_isAPictureWithTheSameFigures() throws IOException {
        Path file = directory.resolve("out.SVG");
        String json =
                weir("replay", "--json", "--report", file.toString(), EXAMPLE).answer();
        String svg = Files.readString(file);

        assertThat(svg).startsWith("<svg ").contains(">2,000 requests by 80 client addresses, ");
        assertThat(jsonResults(json)).hasSize(3).allSatisfy(result -> {
            String limit = result.substring(0, result.indexOf(':'));
            String denied = result.split(" ", -1)[3];
            assertThat(svg).contains(">" + limit + "</text>", ">" + denied + " denied, ");
        });
    }

    @Test
    void report_png_isAPicture() throws IOException {
        Path file = directory.resolve("out.png");

        assertThat(weir("replay", "--report", file.toString(), EXAMPLE).answer())
                .isNotEmpty();
        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(1920);
    }

    @Test
    void report_badName_isRefusedBeforeTheLogIsRead() {
        assertThat(weir("replay", "--report", "out.pdf", "none.log").complaint())
                .isEqualTo("--report must be a file name that ends with .html, .svg or .png, was 'out.pdf'");
        String missing = directory.resolve("none").resolve("out.html").toString();
        assertThat(weir("replay", "--report", missing, "none.log").complaint())
                .isEqualTo("--report must be in a directory that exists, was '" + missing + "'");
    }

    @Test
    void report_nameOfTheLog_isRefusedBeforeTheLogIsRead() throws IOException {
        String unreadable = "neither a format nor a time\n";
        Path log = Files.writeString(directory.resolve("log.html"), unreadable);
        Path link = Files.createSymbolicLink(directory.resolve("link.html"), log);

        assertThat(weir("replay", "--report", link.toString(), log.toString()).complaint())
                .isEqualTo("--report would replace the log, " + link);
        assertThat(log).hasContent(unreadable);
    }

    @Test
    void report_notWritable_isOneLineAfterTheTable() throws IOException {
        Path file = Files.createDirectory(directory.resolve("out.html"));

        Run run = weir("replay", "--report", file.toString(), EXAMPLE);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("weir: cannot write " + file + ": ").containsOnlyOnce("\n");
        assertThat(run.out()).isEqualTo(weir("replay", EXAMPLE).answer());
    }

    @Test
    void report_readerClosesThePipe_isWritten() {
        Path file = directory.resolve("out.html");
        Run.Setup piped = new Run.Setup().stdout(Run.failing("Broken pipe"));

        assertThat(piped.weir("replay", "--report", file.toString(), EXAMPLE).code())
                .isZero();
        assertThat(file).isNotEmptyFile();
    }

    @Test
    void report_limitsThatItCannotShow_areRefusedBeforeTheLogIsRead() {
        String file = directory.resolve("out.html").toString();
        List<String> tooMany = new ArrayList<>(List.of("replay", "--report", file, "none.log"));
        tooMany.addAll(Collections.nCopies(65, "--limit=1/1s"));

        assertThat(weir("replay", "--limit", "unlimited", "--report", file, "none.log")
                        .complaint())
                .isEqualTo("--report: a report needs a limit that denies something, such as 60/1m");
        assertThat(weir(tooMany.toArray(String[]::new)).complaint())
                .isEqualTo("--report: a report shows at most 64 limits, was 65");
    }

    @Test
    void report_watched_showsProgress() {
        String file = directory.resolve("out.html").toString();

        Run run = new Run.Setup().watched().weir("replay", "--json", "--report", file, EXAMPLE);

        assertThat(run.err()).contains("reading ", "replaying ", "analysing ");
    }
}
