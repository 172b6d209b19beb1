package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page in a hidden tab, and in the colours of the system. */
final class DashboardViewTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 5/1m}";

    /** Counts the events, and lets what is due in a minute be due at once. */
    private static final String INSTRUMENTS = """
            window.events = 0;
            const parse = JSON.parse;
            JSON.parse = (...values) => { window.events++; return parse(...values); };
            const later = window.setTimeout;
            window.minute = 60_000;
            window.setTimeout = (task, millis) => later(task, millis === 60_000 ? window.minute : millis);
            """;

    private void openInstrumented() {
        Object script = browser.command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", INSTRUMENTS))
                .get("identifier");
        open();
        browser.command("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    }

    private boolean streams(int number) {
        return call("GET", "/metrics", "")
                .body()
                .lines()
                .anyMatch(line -> line.equals("weir_event_streams " + number + ".0"));
    }

    @Test
    void hiddenTab_doesNoWork_andCatchesUpWhenItIsShown() throws IOException {
        start(CONFIGURATION);
        openInstrumented();
        browser.hidden(true);
        browser.value("(window.changes = 0, new MutationObserver(records => window.changes += records.length)"
                + ".observe(document, {subtree: true, childList: true, characterData: true}))");
        long before = events();
        send("alice", "api", 20);
        browser.await("window.events > arguments[0]", before + 3);
        assertThat(browser.value("window.changes")).isEqualTo(0L);
        assertThat(browser.text("#answer-who .big")).isEqualTo("Nobody");

        browser.hidden(false);

        browser.awaitText("#answer-who .big", "1 key");
        assertThat(browser.text("#answer-denied .sub")).startsWith("15 in the last minute");
        assertNothingLogged();
    }

    private static long events() {
        return (Long) browser.value("window.events");
    }

    @Test
    void hiddenTab_endsItsConnectionAfterAMinute_andOpensItWhenItIsShown() throws IOException {
        start(CONFIGURATION);
        openInstrumented();
        assertThat(streams(1)).isTrue();
        browser.value("window.minute = 100");
        browser.hidden(true);
        Await.until("no stream", () -> streams(0));
        send("alice", "api", 20);

        browser.hidden(false);

        browser.awaitText("#answer-who .big", "1 key");
        browser.awaitText("#age", "live, 1/s");
        assertThat(browser.text("#answer-denied .sub")).startsWith("15 in the last minute");
        assertThat(streams(1)).isTrue();
        assertNothingLogged();
    }

    @Test
    void sheet_windowBelowASecond_saysWhenPermitsAreFree() throws IOException {
        start("policies: {api: 1/500ms}\n");
        send("alice", "api", 30);
        open();

        openKey("alice");

        browser.await("document.getElementById('log-note').textContent.includes('500\u00a0ms later')");
        assertNothingLogged();
    }

    @Test
    void forcedColours_keepTextMarksAndStatesVisible() throws IOException {
        start(CONFIGURATION);
        send("203.0.113.77", "api", 30);
        open();
        browser.await("document.querySelector('.open-key') !== null");
        for (String colours : List.of("light", "dark")) {
            browser.forcedColours(colours);
            assertThat(browser.is("matchMedia('(forced-colors: active)').matches"))
                    .isTrue();
            assertThat(Contrast.of(
                            browser, "color of #answer-who .big", "color of .open-key", "color of #traffic .ticks"))
                    .allMatch(contrast -> contrast >= 4.5);
            assertThat(Contrast.of(
                            browser,
                            "fill of #allowed-chart .allowed",
                            "fill of #denied-chart .denied",
                            "stroke of #allowed-chart .base"))
                    .allMatch(contrast -> contrast >= 3);
            assertThat(browser.value(
                            "getComputedStyle(document.querySelector('#keys-tabs [aria-pressed=true]')).outlineStyle"))
                    .isEqualTo("solid");
            assertThat(browser.value(
                            "getComputedStyle(document.querySelector('#keys-tabs [aria-pressed=false]')).outlineStyle"))
                    .isEqualTo("none");
            browser.screenshot("forced-" + colours);
        }
        openKey("203.0.113.77");
        assertThat(Contrast.of(browser, "fill of #log text", "fill of #log .wait-label"))
                .allMatch(contrast -> contrast >= 4.5);
        assertThat(Contrast.of(browser, "fill of #log .allowed", "fill of #log .denied", "stroke of #log .wait-end"))
                .allMatch(contrast -> contrast >= 3);
        browser.screenshot("forced-key");
        assertNothingLogged();
    }
}
