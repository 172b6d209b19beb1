package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contrast of text (4.5) and of marks that carry meaning (3), in both themes. */
final class DashboardContrastTest extends DashboardTest {
    private static final List<String> THEMES = List.of("light", "dark");

    @Test
    void figuresThatAreNotCurrent_canBeRead_andSayFromWhenTheyAre() throws IOException {
        start("policies: {api: 5/1m}");
        open();
        send("alice", "api", 20);
        browser.awaitText("#answer-who .big", "1 key");
        browser.await("document.querySelector('.open-key') !== null");
        assertThat(browser.find("#not-current").isDisplayed()).isFalse();

        stopServer();

        browser.await("document.body.classList.contains('stale')");
        assertThat(browser.text("#not-current"))
                .matches(
                        "The server does not answer\\. The figures are those of \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.");
        for (String theme : THEMES) {
            browser.media(theme);
            assertThat(Contrast.of(
                            browser,
                            "color of #not-current",
                            "color of #age",
                            "color of #answer-who dt",
                            "color of #answer-who .big",
                            "color of #answer-who .sub",
                            "color of .open-key",
                            "color of .k-since",
                            "color of #limits-note"))
                    .as(theme)
                    .allMatch(contrast -> contrast >= 4.5);
            for (int width : new int[] {1_440, 720, 360}) { // 720 is a desktop at 200 %
                browser.size(width, 900);
                assertThat(browser.scrollsSideways()).isFalse();
                assertThat(browser.is(
                                "scrollTo(0, 1e6), document.querySelector('footer').getBoundingClientRect().bottom"
                                        + " <= document.getElementById('not-current').getBoundingClientRect().top"))
                        .isTrue(); // the end of the page is not covered
                browser.value("scrollTo(0, 0)");
                assertThat(browser.value("document.elementFromPoint(innerWidth / 2, innerHeight - 5).id"))
                        .isEqualTo("not-current"); // nothing covers it
                browser.screenshot("not-current-" + theme + "-" + width, false);
            }
        }
        assertThat(browser.value("getComputedStyle(document.getElementById('content')).filter"))
                .isEqualTo("grayscale(1)");
        browser.console(); // names the calls that failed
    }

    @Test
    void marksAndControls_canBeSeen() throws IOException {
        start("policies: {api: {limits: 20/1m, candidate: 5/1m}}");
        open();
        send("alice", "api", 30);
        send("bob", "api", 18);
        browser.await("document.querySelector('.candidate path.denied')?.getAttribute('d').startsWith('M')");
        browser.click("[data-view=fullest]");
        browser.await("document.querySelector('.bar') !== null");
        for (String theme : THEMES) {
            browser.media(theme);
            assertThat(Contrast.of(
                            browser,
                            "borderTopColor of #pause",
                            "borderTopColor of #filter",
                            "borderTopColor of #keys-tabs",
                            "borderTopColor of .bar",
                            "borderTopColor of #block",
                            "borderTopColor of #block-for",
                            "backgroundColor of .bar i on backgroundColor of .card",
                            "fill of #allowed-chart .allowed",
                            "fill of #denied-chart .denied",
                            "fill of #allowed-chart .outage-edge",
                            "stroke of #limits-body .base",
                            "stroke of .candidate .trend",
                            "fill of .candidate .denied"))
                    .as(theme)
                    .allMatch(contrast -> contrast >= 3);
            for (int width : new int[] {1_440, 720, 360}) {
                browser.size(width, 900);
                assertThat(browser.scrollsSideways()).isFalse();
                browser.screenshot("marks-" + theme + "-" + width);
            }
            browser.desktop();
        }
        assertNothingLogged();
    }
}
