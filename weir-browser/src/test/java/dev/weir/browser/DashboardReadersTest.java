package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Readers with a screen reader, a keyboard, a narrow screen, or the page open for long. */
final class DashboardReadersTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 5/1m}";
    private static final String LONGEST_NAME = "n".repeat(64);

    /** Calls functions of a module of the page, and returns their values. */
    private static List<?> values(String module, String calls) {
        return (List<?>) browser.value("import('/dashboard/" + module + "').then(async f => [" + calls + "])");
    }

    private static List<?> format(String calls) {
        return values("format.js", calls);
    }

    @Test
    void numbers_areNotRoundedToAnotherUnitOrToAll() throws IOException {
        start(CONFIGURATION);
        open();
        assertThat(format("f.share(9999, 10000), f.share(999, 1000), f.share(10, 10), f.share(0, 10)"))
                .isEqualTo(List.of(">99.9\u00a0%", "99.9\u00a0%", "100\u00a0%", "0\u00a0%"));
        assertThat(format("f.duration(59.94), f.duration(59.96), f.duration(61)"))
                .isEqualTo(List.of("59.9\u00a0s", "1\u00a0min", "1\u00a0min 1\u00a0s"));
        assertThat(format("f.wait(0), f.wait(1), f.wait(100), f.wait(101), f.wait(59_901), f.wait(60_001)"))
                .isEqualTo(
                        List.of("now", "0.1\u00a0s", "0.1\u00a0s", "0.2\u00a0s", "1\u00a0min", "1\u00a0min 1\u00a0s"));
    }

    /** The counts of keys cover the last 55 to 60 seconds, the total 60. */
    @Test
    void judgement_ofAllLimitedKeys_saysAll() throws IOException {
        start(CONFIGURATION);
        open();
        String model = "{deniedPerMinute: 100, inForce: [{mode: 'live', deniedPerMinute: 100}], now: {limitedKeys: %d,"
                + " mostDenied: [{key: 'a', rule: 'api', limit: '5/1m', deniedPerMinute: 95, asks: 20}]}}";

        assertThat(values("answers.js", "f.right(" + model.formatted(1) + ").sub"))
                .isEqualTo(List.of("1 key has all of the denials. It asks 20.0× its limit."));
        assertThat(values("answers.js", "f.right(" + model.formatted(2) + ").sub"))
                .isEqualTo(List.of("1 key has 95.0\u00a0% of the denials. It asks 20.0× its limit."));
    }

    @Test
    void denials_withoutALimit_areNamedIfMoreThanThoseOfLimits() throws IOException {
        start(CONFIGURATION);
        open();
        String model = "{deniedPerMinute: %d, byPolicyPerMinute: %d, storeInfo: {kind: 'memory'}, now: {limitedKeys: 1,"
                + " activeKeys: 2}, inForce: [{mode: 'live', rule: 'api', limit: '5/1m', deniedPerMinute: 40}]}";
        String limits = "denied in the last minute; 2 active now; most by api 5/1m.";

        assertThat(values(
                        "answers.js",
                        "f.limited(" + model.formatted(90, 50) + ").sub, f.limited(" + model.formatted(90, 0)
                                + ").sub, f.limited(" + model.formatted(79, 39) + ").sub"))
                .isEqualTo(List.of(
                        limits + " Denied without a limit: 50 by the full store.",
                        limits + " Denied without a limit: 50 by blocks.",
                        limits));
    }

    @Test
    void configuration_changedWithinFiveMinutes_isNamed() throws IOException {
        start(CONFIGURATION);
        open();
        String model =
                "{second: Date.parse('2026-03-01T20:%02d:30Z') / 1000, server: {started: '2026-03-01T19:00:00Z'},"
                        + " configuration: {loaded: '2026-03-01T%s:00Z'}}";

        assertThat(values("answers.js", "f.changed(" + model.formatted(4, "20:00") + ")"))
                .isEqualTo(List.of(" The configuration changed 4\u00a0min 30\u00a0s ago."));
        assertThat(values("answers.js", "f.changed(" + model.formatted(5, "20:00") + ")"))
                .isEqualTo(List.of(""));
        assertThat(values("answers.js", "f.changed(" + model.formatted(0, "19:00") + ")"))
                .isEqualTo(List.of(""));
    }

    @Test
    void moment_isInTheTimeZoneOfTheReader_withItsDay() throws IOException {
        start(CONFIGURATION);
        open();
        browser.command("Emulation.setTimezoneOverride", Map.of("timezoneId", "Asia/Tokyo"));
        try {
            assertThat(format("f.moment('2026-03-01T20:00:00Z')")).isEqualTo(List.of("2026-03-02 05:00:00"));
            assertThat(format("f.moment(Date.now()).length")).isEqualTo(List.of(19L));
        } finally {
            browser.command("Emulation.setTimezoneOverride", Map.of("timezoneId", ""));
        }
    }

    @Test
    void spaces_ofKeys_areSeen() throws IOException {
        start(CONFIGURATION);
        open();
        for (String key : List.of("   ", " a b\u00a0c")) {
            send(key, "api", 9);
        }
        browser.await("document.querySelectorAll('.open-key').length === 2");

        assertThat(browser.texts(".open-key")).containsExactlyInAnyOrder("U+0020U+0020U+0020", "U+0020a bU+00A0c");
        openKey("U+0020U+0020U+0020");
        browser.awaitText("#sheet-next div:nth-child(2) dd", "5 of 5");
        assertNothingLogged();
    }

    @Test
    void list_inUse_doesNotGrowWithoutEnd() throws IOException {
        start("policies: {api: 1/1h}");
        open();
        send("first", "api", 2);
        browser.awaitText(".open-key", "first");
        browser.value("document.querySelector('.open-key').focus()");
        for (int turn = 1; turn <= 6; turn++) { // each has other keys at the top
            for (int i = 0; i < 20; i++) {
                send("key " + turn + "-" + i, "api", 2 * turn + 1);
            }
            String last = "key " + turn + "-19";
            Await.until(last + " is listed", () -> browser.texts(".open-key").contains(last));
        }

        assertThat(browser.all(".open-key")).hasSizeBetween(21, 60);
        assertThat(colours(".gone .open-key", ".gone .k-denied", "#keys-note")).hasSize(1); // it can still be read
        assertThat(browser.value("document.activeElement.textContent")).isEqualTo("first");
        assertNothingLogged();
    }

    /** Returns the colours of texts with their opacity. */
    private static Set<?> colours(String... selectors) {
        return Set.copyOf((List<?>) browser.value(
                "arguments[0].map(s => getComputedStyle(document.querySelector(s))).map(s => s.color + s.opacity)",
                List.of(selectors)));
    }

    @Test
    void placeholder_hasTheColourOfSecondaryText() throws IOException {
        start(CONFIGURATION);
        open();
        assertThat(browser.value("getComputedStyle(document.getElementById('filter'), '::placeholder').color"))
                .isEqualTo(browser.value("getComputedStyle(document.getElementById('limits-note')).color"));
    }

    /** As in a browser whose buttons do not take the focus when they are clicked. */
    @Test
    void sheet_openedByAClickWithoutFocus_returnsToItsRow() throws IOException {
        start(CONFIGURATION);
        send("alice", "api", 9);
        open();
        openKey("alice");
        browser.press(Keys.ESCAPE);

        Await.until(
                "the row has the focus",
                () -> browser.value("document.activeElement.textContent").equals("alice"));
        assertNothingLogged();
    }

    /** A screen reader says each change of the value of a slider that has the focus. */
    @Test
    void chart_withTheFocus_changesItsValueOnlyForTheReader() throws IOException {
        start(CONFIGURATION);
        open();
        browser.awaitText("#age", "live, 1/s");
        browser.value("document.getElementById('traffic').focus()");
        assertThat(reading()).isEqualTo("now: allowed 0, denied 0");
        send("alice", "api", 9);
        browser.awaitText("#answer-who .big", "1 key");
        assertThat(reading()).isEqualTo("now: allowed 0, denied 0");

        browser.press(Keys.HOME);
        assertThat(reading()).isEqualTo("−299\u00a0s: allowed 0, denied 0");
        browser.press(Keys.ARROW_UP);
        assertThat(reading()).startsWith("−298\u00a0s:");
        browser.press(Keys.PAGE_UP);
        assertThat(reading()).startsWith("−268\u00a0s:");
        browser.press(Keys.END);
        assertThat(reading()).startsWith("now:");
        assertNothingLogged();
    }

    private static String reading() {
        return String.valueOf(browser.find("#traffic").getDomAttribute("aria-valuetext"));
    }

    /** A selection that begins in a sheet may end beside it. */
    @Test
    void sheet_closesByAClickBesideIt_butNotByASelection() throws IOException {
        start(CONFIGURATION);
        send("alice", "api", 9);
        open();
        openKey("alice");
        browser.drag("#log-note", 200, 300);
        assertThat(browser.is("document.getElementById('sheet').open")).isTrue();

        browser.clickAt(200, 300);
        browser.await("!document.getElementById('sheet').open");
        assertNothingLogged();
    }

    @Test
    void sheet_figures_haveRoomOnEveryScreen() throws IOException {
        start("policies: {api: 2/15m}");
        send("alice", "api", 9);
        open();
        openKey("alice");
        browser.await("document.querySelector('#sheet-next dd').textContent.startsWith('in 14\u00a0min ')");

        for (int width : new int[] {320, 390, 765, 1_440}) {
            browser.size(width, 900);
            assertThat((List<?>) browser.value("[...document.querySelectorAll('#sheet-next dd')]"
                            + ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"))
                    .as("%d pixels", width)
                    .isEmpty();
        }
        assertNothingLogged();
    }

    @Test
    void rules_staySelected_whileTheyDoNotChange() throws IOException {
        start(CONFIGURATION);
        send("alice", "api", 9);
        open();
        openKey("alice");
        browser.value("(window.rule = document.querySelector('#sheet-rules li'), window.answers = 0,"
                + " window.fetch = (served => async (...given) => {"
                + " const response = await served(...given); window.answers++; return response; })(window.fetch))");
        browser.await("window.answers > 2");

        assertThat(browser.is("window.rule.isConnected")).isTrue();
        assertNothingLogged();
    }

    @Test
    void reservation_ofManyPermits_isNotHigherThanThePicture() throws IOException {
        start(CONFIGURATION);
        open();
        String limit = "{ windowMillis: 60_000, waitMillis: 0, used: 0, of: 100, attempts: false, bars: [], denied: [],"
                + " pending: [{ from: 1_000, permits: 60 }] }";
        String drawn = "(svg => (f.drawLog(svg, " + limit + ", 0), svg.querySelector('.pending').getAttribute('d')))"
                + "(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))";

        assertThat(values("timeline.js", drawn)).asString().contains("v-76.0h");
    }

    @Test
    void titleOfAHiddenPage_countsNobody() throws IOException {
        start(CONFIGURATION);
        send("alice", "api", 9);
        open();
        browser.await("document.title === '(1) Weir'");

        browser.hidden(true); // it draws nothing, so the count would soon be wrong
        assertThat(browser.value("document.title")).isEqualTo("Weir");
        browser.hidden(false);
        assertThat(browser.value("document.title")).isEqualTo("(1) Weir");
        assertNothingLogged();
    }

    @Test
    void problemWithoutADetail_isNamedByItsStatus() throws IOException {
        start(CONFIGURATION);
        open();
        assertThat(values("connection.js", "await f.problem(new Response('{}', { status: 502 }))"))
                .isEqualTo(List.of("status 502"));
    }

    @Test
    void serverWithoutLimits_saysSo() throws IOException {
        start("policies: {}");
        open();
        assertThat(browser.text("#limits-body")).isEqualTo("There are no limits yet.");
        browser.click("#limits-tabs [data-view=shadow]");
        assertThat(browser.text("#limits-body")).isEqualTo("No limit is in shadow mode or has a candidate.");
        browser.find("#filter").sendKeys("x");
        assertThat(browser.text("#limits-body")).isEqualTo("No limit matches.");
        assertNothingLogged();
    }

    @Test
    void landmarks_haveDifferentNames() throws IOException {
        start(CONFIGURATION);
        open();
        assertThat((List<?>) browser.value("[...document.querySelectorAll('section[aria-labelledby], [role=region]')]"
                        + ".map(region => region.getAttribute('aria-labelledby'))"))
                .doesNotHaveDuplicates();
    }

    @Test
    void narrowScreens_cutNothing_andKeepTheLabels() throws IOException {
        start("policies: {" + LONGEST_NAME + ": 3/1m, api: {limits: 3/1m, candidate: 4000/1m}}");
        send("alice", LONGEST_NAME, 9);
        send("bob", "api", 2_000);
        open();
        browser.awaitText("#answer-who .big", "2 keys");
        assertThat(browser.find("#keys-body tbody tr:last-child .k-by").getDomAttribute("title"))
                .isEqualTo(LONGEST_NAME + " 3/1m");
        String wide = "[...document.querySelectorAll('#limits-scroll, #limits-body :is(td, th)')]"
                + ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.className)";
        for (int width : new int[] {320, 360, 765, 900, 1_440}) {
            browser.size(width, 900);
            assertThat((List<?>) browser.value(wide)).as("%d pixels", width).isEmpty();
            assertThat(browser.scrollsSideways()).isFalse();
        }
        assertThat(browser.all("#limits-body td.num:not([data-label]), #limits-body td.num[data-label='']"))
                .isEmpty();
        assertNothingLogged();
    }
}
