package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.replay.Replay;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.Logs;
import dev.weir.replay.generate.LogGenerator;
import dev.weir.replay.trace.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReportTest {
    private static final List<String> HOSTILE = List.of(
            "<script>alert(1)</script>",
            "</script><script>alert(2)</script>",
            "\\\"'><img src=x onerror=alert(3)>",
            "{{lead}}",
            "\\u202egnp.evil\\u202c",
            "\\u2066isolated\\u0007\\u2028",
            "]]>&amp;&#60;svg/onload=alert(4)>",
            "$1\\\\");

    @Test
    void html_hostileKeys_areTextOnly() throws IOException {
        StringBuilder log = new StringBuilder();
        for (String key : HOSTILE) {
            log.append(("{\"time\":1,\"id\":\"" + key + "\"}\n").repeat(4));
        }

        String html = report(log.toString(), "<b>log</b>\u202e", "1/1s", "fixed-window 1/1s");

        assertThat(html)
                .containsOnlyOnce("<script")
                .containsOnlyOnce("</script")
                .containsOnlyOnce("<style");
        assertThat(html).doesNotContain("<img", "<svg/", "<b>log", "onerror=alert(3)>", "\u202e", "\u2066", "\u2028");
        assertThat(html.chars().filter(c -> c < 0x20 && c != '\n')).isEmpty();
        assertThat(html)
                .contains(
                        "&lt;script&gt;alert(1)&lt;/script&gt;",
                        "<span class=\"ctl\">U+202E</span>gnp.evil<span class=\"ctl\">U+202C</span>",
                        "<bdi class=\"k\">{{lead}}</bdi>",
                        "<bdi class=\"k\">$1\\</bdi>",
                        "&lt;b&gt;log&lt;/b&gt;");
    }

    /** A fixed window allows the two requests after its boundary; the log does not, and allows a later one instead. */
    @Test
    void html_twoLimits_listsTheRequestsOnWhichTheyDiffer() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int second : new int[] {8, 9, 10, 11, 18, 19}) {
            log.append("{\"time\":" + second + ",\"id\":\"<b>ann\u202e\"}\n");
        }

        String html = report(log.toString(), "a.log", "2/10s", "fixed-window 2/10s");

        assertThat(html)
                .contains("They differ on 4 requests of 1 client: 2 allowed only by <span")
                .containsPattern(
                        "1 Jan 00:00:10</td><td><bdi class=\"k\">&lt;b&gt;ann<span class=\"ctl\">U\\+202E</span>"
                                + "</bdi></td><td><span class=\"lim\"><b>fixed-window</b>")
                .containsPattern("1 Jan 00:00:18</td><td>.*</td><td><span class=\"lim\"><b>sliding-log</b>")
                .doesNotContain("--compare --json");
        assertThat(Pattern.compile("1 Jan 00:00:(\\d\\d)</td>")
                        .matcher(html)
                        .results()
                        .map(time -> time.group(1)))
                .containsExactly("10", "11", "18", "19");
    }

    @Test
    void html_manyDifferences_listsTheFirst() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int second = 0; second < 100; second++) {
            log.append("{\"time\":" + second + ",\"id\":\"" + (second % 2 == 0 ? "ann" : "bob") + "\"}\n");
        }

        String html = report(log.toString(), "a.log", "1/1d", "100/1d");

        assertThat(html)
                .contains("They differ on 98 requests of 2 clients", "the first 50; --compare --json lists all of them")
                .contains("00:00:51</td>")
                .doesNotContain("00:00:52</td>");
    }

    @Test
    void html_moreDeniedKeysThanRows_countsTheRest() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int key = 1; key <= 14; key++) {
            log.append(("{\"time\":1,\"id\":\"key" + key + "\"}\n").repeat(1 + key));
        }

        assertThat(report(log.toString(), "a.log", "unlimited", "1/1s"))
                .contains("The 12 clients with most denials at ", "2 more clients have 3 denials together.");
    }

    @Test
    void html_sameDecisions_saysSo() throws IOException {
        String log = "{\"time\":1,\"id\":\"ann\"}\n";

        assertThat(report(log, "a.log", "1/1s", "2/1s")).contains(" decide alike on every request of this log.");
    }

    @Test
    void html_oneOrThreeLimits_areNotCompared() throws IOException {
        String log = "{\"time\":1,\"id\":\"ann\"}\n".repeat(3);

        assertThat(report(log, "a.log", "1/1s")).doesNotContain("Where the two limits differ");
        assertThat(report(log, "a.log", "1/1s", "2/1s", "3/1s")).doesNotContain("Where the two limits differ");
    }

    @Test
    void html_oneRequestDenied_isInTheSingular() throws IOException {
        String html = report("{\"time\":1,\"id\":\"ann\"}\n".repeat(2), "a.log", "1/1s");

        assertThat(html).contains("denies <b class=\"den\">1</b> request (").doesNotContain(">1</b> requests");
    }

    @Test
    void html_policy_admitsOnlyItsOwnStyleAndScript() throws Exception {
        String html = report("{\"time\":1,\"id\":\"a\"}\n", "a.log", "1/1s");

        assertThat(html)
                .contains("default-src 'none'; style-src 'sha256-" + hash(html, "style") + "'; script-src 'sha256-"
                        + hash(html, "script") + "'\"");
        assertThat(html)
                .doesNotContain("http:", "https:", " style=", " src=", " href=", "@import", "url(", "innerHTML");
    }

    private static String hash(String html, String element) throws Exception {
        Matcher content = Pattern.compile("<" + element + ">(.*?)</" + element + ">", Pattern.DOTALL)
                .matcher(html);
        assertThat(content.find()).isTrue();
        byte[] bytes = content.group(1).getBytes(StandardCharsets.UTF_8);
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void html_manyClientsAndLimits_isBelowThreeMegabytes() throws IOException {
        String[] limits = IntStream.rangeClosed(1, 64).mapToObj(n -> n + "/10s").toArray(String[]::new);
        try (Trace trace = generated(30_000, 3_000)) {
            Report report = report(trace, LogOptions.DEFAULT.key(), limits);

            assertThat(report.html().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(3_000_000);
        }
    }

    @Test
    void html_sameLog_isTheSame() throws IOException {
        try (Trace trace = generated(2_000, 80)) {
            assertThat(report(trace, "ip", "60/1m").html())
                    .isEqualTo(report(trace, "ip", "60/1m").html());
        }
    }

    @Test
    void html_elements_areClosed() throws IOException {
        try (Trace trace = generated(2_000, 80)) {
            String html = report(trace, "ip", "60/1m", "fixed-window 60/1m", "leaky-bucket 60/1m", "unlimited")
                    .html();
            List<String> open = new ArrayList<>();
            Matcher tag = Pattern.compile("<(/?)(\\w+)([^>]*?)(/?)>").matcher(html.replaceAll("(?s)<!.*?>", ""));
            while (tag.find()) {
                if (!tag.group(1).isEmpty()) {
                    assertThat(open.remove(open.size() - 1)).isEqualTo(tag.group(2));
                } else if (tag.group(4).isEmpty()
                        && !List.of("meta", "br", "input").contains(tag.group(2))) {
                    open.add(tag.group(2));
                }
            }
            assertThat(open).isEmpty();
        }
    }

    @Test
    void html_clientsWithAllDenials_areCounted() throws IOException {
        assertThat(report("{\"time\":1,\"id\":\"a\"}\n".repeat(2), "a.log", "1/1s"))
                .contains("one client has the only denial.");
        assertThat(report("{\"time\":1,\"id\":\"a\"}\n".repeat(3), "a.log", "1/1s"))
                .contains("one client has all of the 2 denials.");
    }

    @Test
    void html_sentence_hasTheFiguresAndANumberToChoose() throws IOException {
        assertThat(sentence("time,id\n" + "1,a\n".repeat(3) + "1,b\n", "2/10s"))
                .isEqualTo("At 2 per 10 s, 25.0 % of requests and 50.0 % of clients would have been denied. "
                        + "Choose 3 per 10 s, and nobody is ever denied.");
        assertThat(sentence("time,id\n" + "1,a\n".repeat(3), "token-bucket 5/1m"))
                .isEqualTo("At token-bucket 5/1m, no request would have been denied. "
                        + "sliding-log 3/1m would be enough: nobody is ever denied.");
    }

    private static String sentence(String log, String limit) throws IOException {
        try (Trace trace = Logs.read(log, Logs.BY_ID)) {
            String html = report(trace, "ip", limit).html();
            return html.substring(html.indexOf("<h1>") + 4, html.indexOf("</h1>"))
                    .replace('\u00a0', ' ');
        }
    }

    @Test
    void html_oneRequestAtEitherEnd_isReported() throws IOException {
        for (String time : List.of("1970-01-01T00:00:00Z", "2261-12-31T23:59:59Z")) {
            for (String window : List.of("1ns", "1ms", "1s", "1d", "10000d")) {
                String html = report("{\"time\":\"" + time + "\",\"id\":\"a\"}\n", "a.log", "1/" + window);

                assertThat(html).contains("no request would have been denied", "Nobody at");
            }
        }
    }

    @Test
    void html_bothEnds_hasAnAxis() throws IOException {
        String log = "{\"time\":\"1970-01-01T00:00:00Z\",\"id\":\"a\"}\n"
                + "{\"time\":\"2261-12-31T23:59:59Z\",\"id\":\"a\"}\n".repeat(3);

        assertThat(report(log, "a.log", "1/1s", "fixed-window 1/1000d")).contains(">2000<", ">2050<");
    }

    @Test
    void html_keysOtherThanAddresses_areCalledByTheirName() throws IOException {
        try (Trace trace = Logs.read("time,id\n1,a\n1,a\n", Logs.BY_ID)) {
            assertThat(report(trace, "user", "1/1s").html())
                    .contains("1 user", "users denied")
                    .doesNotContain("A client is an address", "clients");
            assertThat(report(trace, "tenant", "1/1s").html()).contains("keys denied");
        }
    }

    @Test
    void html_lineWithoutKey_isCalledSo() throws IOException {
        try (Trace trace = Logs.read("time,id\n1,a\n1,\n", Logs.BY_ID)) {
            assertThat(report(trace, "user", "1/1s").html()).contains("1 line was skipped: no user, or not readable.");
        }
    }

    @Test
    void html_timesFinerThanTicks_areSaidToCountLonger() throws IOException {
        try (Trace fine = Logs.read("time,id\n1.0000,a\n11.0001,a\n", Logs.BY_ID);
                Trace coarse = Logs.read("time,id\n1.000,a\n11.001,a\n", Logs.BY_ID)) {
            assertThat(report(fine, "ip", "1/10s").html())
                    .contains("if it requests more in 10\u00a0s and up to a tick of 1\u00a0ms, so")
                    .contains("Times are finer than ticks.", "for up to a tick longer.");
            assertThat(report(coarse, "ip", "1/10s").html())
                    .contains("if it requests more in 10\u00a0s, so")
                    .doesNotContain("tick of", "Times are finer");
        }
    }

    @Test
    void reports_worstWindowIsLittleOver_saySo() throws IOException {
        try (Trace trace = Logs.read("time,id\n9,a\n" + "10,a\n".repeat(25), Logs.BY_ID)) {
            Report report = report(trace, "ip", "fixed-window 25/10s");

            assertThat(report.html()).contains("</b> of 25 <b class=\"den\">over</b>", "26 of 25 \u00a0over");
            assertThat(report.svg()).contains("26 of 25, over");
        }
    }

    @Test
    void html_differentWindows_areNotCalledByOneLength() throws IOException {
        String log = "{\"time\":1,\"id\":\"a\"}\n";

        assertThat(report(log, "a.log", "1/1h", "fixed-window 20/1h")).contains("was granted in any hour, ");
        assertThat(report(log, "a.log", "1/1h", "fixed-window 20/1d"))
                .contains("was granted in any window of the limit, ");
    }

    @Test
    void html_windowOfDays_momentsHaveATimeOfDay() throws IOException {
        String html = report("{\"time\":\"2026-03-02T14:05:00Z\",\"id\":\"a\"}\n".repeat(2), "a.log", "5/1d");

        assertThat(html).contains("2 Mar 14:05").doesNotContain("2 Mar 2 Mar");
    }

    @Test
    void html_worstWindowsOfTwoClientsEndTogether_areNotCalledOfTheSame() throws IOException {
        StringBuilder log = new StringBuilder("{\"time\":9,\"id\":\"ann\"}\n".repeat(3));
        for (int second : new int[] {2, 5, 7, 9}) {
            log.append("{\"time\":" + second + ",\"id\":\"bob\"}\n");
        }

        assertThat(report(log.toString(), "a.log", "5/1s", "fixed-window 5/10s"))
                .contains("Never more than 5 in any second.")
                .doesNotContain("at the same moment as the fixed window");
        assertThat(report(log.toString(), "a.log", "5/10s", "fixed-window 5/10s"))
                .contains("The same client at the same moment as the fixed window.");
    }

    @Test
    void html_queueThatDelaysNothing_hasNoLongestDelay() throws IOException {
        String line = "{\"time\":1,\"id\":\"a\"}\n";

        assertThat(report(line, "a.log", "leaky-bucket 1/1s")).contains("<b>0</b> delayed</span>");
        assertThat(report(line.repeat(2), "a.log", "leaky-bucket 2/1s"))
                .contains("<b>1</b> delayed, up to 500\u00a0ms</span>");
    }

    @Test
    void reports_unlimited_haveNoWorstWindowOfIt() throws IOException {
        try (Trace trace = Logs.read("time,id\n1,a\n1,a\n", Logs.BY_ID)) {
            Report report = report(trace, "ip", "1/1s", "unlimited");

            assertThat(report.html()).containsOnlyOnce("worst window <b>");
            assertThat(report.svg()).containsOnlyOnce("worst window ");
        }
    }

    @Test
    void of_tooManyLimits_isRefused() throws IOException {
        String[] limits = IntStream.range(0, 65).mapToObj(n -> "1/1s").toArray(String[]::new);
        try (Trace trace = Logs.read("time,id\n1,a\n", Logs.BY_ID)) {
            assertThatThrownBy(() -> report(trace, "ip", limits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a report shows at most 64 limits, was 65");
        }
    }

    @Test
    void curve_allKeysDenied_nameIsAboveTheLineAndItsPoints() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 4_000; i++) {
            log.append("{\"time\":" + i / 100 + ",\"id\":\"" + i % 20 + "\"}\n");
        }

        String html = report(log.toString(), "a.log", "10/1m");

        Matcher name = Pattern.compile("y=\"([\\d.]+)\" class=\"n[rc] start\"").matcher(html);
        assertThat(name.find()).isTrue();
        Matcher point = Pattern.compile("<circle class=\"d[rc]\" cx=\"[\\d.]+%\" cy=\"([\\d.]+)\" r=\"3.5\"")
                .matcher(html);
        assertThat(point.results().map(at -> Double.parseDouble(at.group(1)) - 3.5))
                .hasSizeGreaterThan(4)
                .allMatch(top -> top > Double.parseDouble(name.group(1)));
    }

    private static String report(String jsonl, String file, String... limits) throws IOException {
        LogOptions options = Logs.options("jsonl", "id");
        try (Trace trace = Logs.read(jsonl, options)) {
            return Report.of(trace, Replay.record(trace, parsed(limits), done -> {}), source(file, "ip"), done -> {})
                    .html();
        }
    }

    static Report report(Trace trace, String key, String... limits) throws IOException {
        return Report.of(trace, Replay.record(trace, parsed(limits), done -> {}), source("a.log", key), done -> {});
    }

    private static Report.Source source(String file, String key) {
        return new Report.Source(file, key, "weir replay '" + file + "'");
    }

    private static List<Limit> parsed(String... limits) {
        return List.of(limits).stream().map(Limit::parse).toList();
    }

    static Trace generated(int requests, int clients) throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        new LogGenerator(requests, 1, clients).writeTo(log, done -> {});
        return Logs.read(log.toByteArray(), LogOptions.DEFAULT);
    }
}
