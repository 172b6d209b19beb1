package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.replay.Recording;
import dev.weir.replay.Replay;
import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The sentences and suggestions for clients with given numbers of requests at one time. */
final class HeadlineTest {
    @Test
    void sentence_equalClients_saysWhatTheNumberDoes() throws IOException {
        String page = page("60/1m", equal(40, 100));

        assertThat(text(page))
                .contains("At 60 per minute, 40.0 % of requests and 100 % of clients would have been denied. "
                        + "Choose 100 per minute, and nobody is ever denied.")
                .contains("At sliding-log 60/1m each of the 40 denied clients has 40 denials. At sliding-log 100/1m,"
                        + " nothing is denied.");
        assertThat(suggestions(page)).containsExactly("Nobody denied 100/1m 0 requests 0 % · 0 clients");
    }

    @Test
    void sentence_moreThanTheShareIsNeverDenied_saysHowMany() throws IOException {
        int[] requests = equal(40, 10);
        requests[7] = 500;

        String page = page("60/1m", requests);

        assertThat(text(page)).contains("10 per minute would be enough: 97.5 % of clients are never denied.");
        assertThat(suggestions(page))
                .containsExactly(
                        "97.5 % of clients never denied 10/1m 490 requests 55.1 % · 1 client",
                        "Nobody denied 500/1m 0 requests 0 % · 0 clients");
    }

    @Test
    void sentence_fewClients_doesNotFollowTheHeaviest() throws IOException {
        int[] requests = IntStream.rangeClosed(5, 16).toArray();
        requests[0] = 108;

        String page = page("60/1m", requests);

        assertThat(text(page))
                .contains("16 per minute would be enough: 11 of 12 clients are never denied.")
                .contains("one client has all of the 48 denials.");
        assertThat(suggestions(page))
                .containsExactly(
                        "11 of 12 clients never denied 16/1m 92 requests 40.2 % · 1 client",
                        "Nobody denied 108/1m 0 requests 0 % · 0 clients");
    }

    @Test
    void sentence_fromTwentyClientsOn_isTheSameAsForAllButOne() throws IOException {
        for (int clients : new int[] {3, 19, 20, 39}) {
            int[] requests = equal(clients, 7);
            requests[1] = 99;

            assertThat(text(page("60/1m", requests))).contains("7 per minute would be enough");
        }
    }

    @Test
    void sentence_oneOrTwoClients_deniesNone() throws IOException {
        assertThat(text(page("2/1m", 9))).contains("Choose 9 per minute, and nobody is ever denied.");
        assertThat(text(page("2/1m", 9, 1))).contains("Choose 9 per minute, and nobody is ever denied.");
    }

    @Test
    void sentence_oneThousandClients_roundsTheShareDown() throws IOException {
        int[] requests = equal(3_000, 1);
        requests[4] = 9;

        assertThat(text(page("5/1m", requests)))
                .contains("1 per minute would be enough: 99.9 % of clients are never denied");
    }

    @Test
    void sentence_firstLimitIsNoPlainLog_namesBothLimits() throws IOException {
        assertThat(text(page("gcra 10/1m burst=5", equal(40, 10))))
                .contains("At gcra 10/1m burst=5, 50.0 % of requests and 100 % of clients would have been denied. "
                        + "Choose sliding-log 10/1m, and nobody is ever denied.")
                .contains("At sliding-log 10/1m, nothing is denied.");
        assertThat(text(page("10/1m count=attempts", equal(40, 12))))
                .contains("At sliding-log 10/1m count=attempts, 16.7 % of requests")
                .contains("Choose sliding-log 12/1m, and nobody is ever denied.");
    }

    @Test
    void lead_clientsWithManyMoreDenials_areNamed() throws IOException {
        assertThat(text(page("10/1m", 60, 30, 15, 14, 13, 12)))
                .contains(
                        "two clients have 83.3 % of the 84 denials; half of the other 4 denied clients have 3 or fewer.");
        assertThat(text(page("10/1m", 60, 15, 15, 14, 14, 14)))
                .contains(
                        "one client has 69.4 % of the 72 denials; half of the other 5 denied clients have 4 or fewer.");
        assertThat(text(page("10/1m", 18, 17, 16, 15, 14)))
                .contains("no client stands out: the 5 denied clients have from 4 to 8 denials each.");
    }

    private static int[] equal(int clients, int requests) {
        int[] all = new int[clients];
        Arrays.fill(all, requests);
        return all;
    }

    private static List<String> suggestions(String page) {
        return Pattern.compile("<button type=\"button\" class=\"sg\".*?</button>")
                .matcher(page)
                .results()
                .map(button -> text(button.group()))
                .toList();
    }

    private static String page(String limit, int... requests) throws IOException {
        StringBuilder log = new StringBuilder("time,id\n");
        for (int client = 0; client < requests.length; client++) {
            log.append(("1,c" + client + "\n").repeat(requests[client]));
        }
        try (Trace trace = Logs.read(log.toString(), Logs.BY_ID)) {
            Recording recording = Replay.record(trace, List.of(Limit.parse(limit)), done -> {});
            return Report.of(trace, recording, new Report.Source("a.log", "ip", "weir replay"), done -> {})
                    .html();
        }
    }

    /** Returns the text of a page, one space between words. */
    private static String text(String html) {
        return html.replaceAll("<[^>]*>", " ")
                .replace('\u00a0', ' ')
                .replaceAll("\\s+", " ")
                .replace(" ,", ",")
                .strip();
    }
}
