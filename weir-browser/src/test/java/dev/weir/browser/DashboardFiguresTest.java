package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The figures on the page equal those of the API and an independent count of the traffic. */
final class DashboardFiguresTest extends DashboardTest {
    private static final String CONFIGURATION = """
            policies:
              api: 5/1m
              login: 3/15m
              search: 20/1m
            """;
    private static final String KEYS = "#keys-body tbody ";
    private static final Pattern READING = Pattern.compile("(?:now|.*s): allowed (\\d+), denied (\\d+)");

    @Test
    void figures_equalTheTrafficAndTheApi() throws IOException {
        start(CONFIGURATION);
        open();
        int first = send("203.0.113.77", "api", 40);
        int second = send("alice", "api", 15);
        int third = send("bob", "login", 7);
        int denied = first + second + third;
        assertThat(denied).isEqualTo(35 + 10 + 4);
        assertThat(send("carol", "search", 20)).isZero();

        browser.awaitText("#answer-denied .sub", denied + " in the last minute, 59.8\u00a0% of 82 decisions.");
        browser.awaitText("#answer-who .big", "3 keys");

        assertThat(browser.text("#answer-who .sub"))
                .isEqualTo("denied in the last minute; 4 active now; most by api 5/1m.");
        assertThat(browser.text("#answer-right .big")).isEqualTo("Likely: concentrated");
        assertThat(browser.text("#answer-right .sub")).startsWith("2 keys have 91.8\u00a0% of the denials.");
        assertThat(browser.text("#answer-store .big")).isEqualTo("Healthy");
        assertThat(browser.texts(KEYS + ".k-key")).containsExactly("203.0.113.77", "alice", "bob");
        assertThat(browser.texts(KEYS + ".k-denied")).containsExactly("" + first, "" + second, "" + third);
        assertThat(limit("api")).containsExactly("81.8\u00a0%", "2");
        assertThat(limit("login")).containsExactly("57.1\u00a0%", "1");
        assertThat(limit("search")).containsExactly("0\u00a0%", "0");
        assertTop(first, second, third);
        assertChart(82 - denied, denied);
        assertNothingLogged();
        browser.screenshot("figures");
    }

    @Test
    void candidate_ofOneLimit_isComparedWithIt() throws IOException {
        start("policies: {api: {limits: 3/1m, candidate: 1/1m}}");
        open();
        assertThat(send("alice", "api", 5)).isEqualTo(2);

        browser.awaitText(".candidate .l-share", "80.0\u00a0%, live 40.0\u00a0%");
        assertThat(browser.text(".candidate .l-keys")).isEqualTo("1, live 1");
        assertNothingLogged();
    }

    @Test
    void candidate_ofSeveralLimits_isComparedWithNoneOfThem() throws IOException {
        start("policies: {api: {limits: [50/1s, 3/1m], candidate: 1/1m}}");
        open();
        assertThat(send("alice", "api", 5)).isEqualTo(2);

        browser.awaitText(".candidate .l-share", "80.0\u00a0%");
        assertThat(browser.text(".candidate .l-keys")).isEqualTo("1");
        assertThat(browser.text(".candidate .differs")).isEqualTo("of 5 requests: 2 denied only by it, 0 only live");
        assertNothingLogged();
    }

    private static List<String> limit(String rule) {
        String row = "[...document.querySelectorAll('#limits-body tr')]"
                + ".find(row => row.textContent.startsWith(arguments[0] + ' '))";
        Object texts =
                browser.value("['.l-share', '.l-keys'].map(cell => " + row + ".querySelector(cell).textContent)", rule);
        return ((List<?>) texts).stream().map(String::valueOf).toList();
    }

    private void assertTop(int... denied) {
        List<JsonObject> top = top("denied");
        assertThat(top.stream().mapToInt(key -> key.getInteger("deniedPerMinute")))
                .containsExactly(Arrays.stream(denied).boxed().toArray(Integer[]::new));
        assertThat(top.stream().map(key -> key.getString("key")).toList()).isEqualTo(browser.texts(KEYS + ".k-key"));
        assertThat(top.stream()
                        .map(key -> String.format(Locale.ROOT, "%.1f×", key.getDouble("asks")))
                        .toList())
                .isEqualTo(browser.texts(KEYS + ".k-asks"));
    }

    /** Reads all seconds of the chart with the arrow keys. */
    private static void assertChart(long allowed, long denied) {
        browser.press("p");
        browser.awaitText("#age", "paused");
        Object readings = browser.value("""
                [...Array(300)].map((_, i) => {
                  const chart = document.getElementById('traffic');
                  if (i > 0) chart.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
                  return chart.getAttribute('aria-valuetext');
                })""");
        long[] sums = new long[2];
        for (Object reading : (List<?>) readings) {
            Matcher values = READING.matcher(String.valueOf(reading));
            assertThat(values.matches()).as(String.valueOf(reading)).isTrue();
            sums[0] += Long.parseLong(values.group(1));
            sums[1] += Long.parseLong(values.group(2));
        }
        assertThat(sums).containsExactly(allowed, denied);
        assertThat(readings.toString()).contains("−299\u00a0s: allowed 0");
        browser.press("p");
        browser.awaitText("#age", "live, 1/s");
    }

    @Test
    void keyUnderSeveralLimits_isOneKey() throws IOException {
        start("policies: {a: 1/1h, b: 1/1h, c: 1/1h, d: 1/1h}");
        for (String policy : List.of("a", "b", "c", "d")) {
            send("scanner", policy, 11);
        }
        for (int i = 0; i < 20; i++) {
            send("user " + i, "a", i == 0 ? 41 : 2);
        }
        open();

        browser.awaitText("#answer-who .big", "21 keys");
        browser.awaitText("#keys-note", "17 of 21 keys, by denials, last minute");
        assertThat(browser.all(KEYS + "tr")).hasSize(20);
        assertThat(browser.text("#answer-right .sub"))
                .startsWith("2 keys have 80.8\u00a0% of the denials. They ask 11.0× and 41.0× their limit.");
        assertNothingLogged();
    }

    @Test
    void requestThatTwoLimitsDeny_isOneDenial() throws IOException {
        start("policies: {both: [2/1h, 2/1d], api: 2/1h}");
        assertThat(send("scanner", "both", 12)).isEqualTo(10);
        for (int i = 0; i < 30; i++) {
            send("user " + i, "api", 3);
        }
        open();

        browser.awaitText("#answer-who .big", "31 keys");
        assertThat(browser.text("#answer-right .big")).isEqualTo("Doubtful: spread");
        assertThat(browser.text("#answer-right .sub")).startsWith("No key has more than 25.0\u00a0% of the denials.");
        assertNothingLogged();
    }

    @Test
    void fullestKeys_areListed() throws IOException {
        start(CONFIGURATION);
        send("alice", "search", 18);
        send("bob", "search", 1);
        open();

        browser.click("[data-view=fullest]");

        browser.await("document.querySelector('#keys-body .k-used') !== null");
        assertThat(browser.texts(KEYS + ".k-key")).containsExactly("alice");
        browser.awaitText(KEYS + ".k-used", "18 of 20, 90.0\u00a0%");
        assertNothingLogged();
    }
}
