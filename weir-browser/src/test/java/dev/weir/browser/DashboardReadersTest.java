package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Readers with a screen reader, a keyboard, a narrow screen, or the page open for long. */
final class DashboardReadersTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 5/1m}";
    private static final String LONGEST_NAME = "n".repeat(64);

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
            browser.await(
                    "[...document.querySelectorAll('.open-key')].some(key => key.textContent === arguments[0])",
                    "key " + turn + "-19");
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

        browser.await("document.activeElement.textContent === 'alice'");
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
