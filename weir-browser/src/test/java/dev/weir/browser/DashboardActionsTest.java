package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.redis.RedisStore;
import dev.weir.server.ServerSettings;
import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What an operator does with a key: look at it, block it, reset it; with the pointer and by keyboard. */
final class DashboardActionsTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: [100/1m, 5/15m name=slow]}";
    private static final String DECIDE = "{\"key\":\"mallory\",\"policy\":\"api\"}";

    private void confirm(String button, String effect) {
        browser.click(button);
        assertThat(browser.text("#confirmation p")).contains(effect);
        browser.click("#confirm");
        browser.awaitText("#confirmation p", "Done.");
    }

    /** Returns a path of the drawing, which the page replaces five times a second. */
    private static Object path(String name) {
        return browser.value("document.querySelector('#log path.' + arguments[0]).getAttribute('d')", name);
    }

    private JsonObject decision() {
        return new JsonObject(call("POST", "/v1/decide", DECIDE).body());
    }

    @Test
    void block_takesEffect_untilItIsLifted() throws IOException {
        start(CONFIGURATION);
        send("mallory", "api", 12);
        open();
        openKey("mallory");

        confirm("#block", "Denies every request of this key for 10 min");
        browser.awaitText("#sheet-next dt", "Blocked");
        assertThat(decision().getBoolean("blocked")).isTrue();
        assertThat(top("blocked").get(0).getString("key")).isEqualTo("mallory");
        browser.click("#sheet-close");
        browser.click("[data-view=blocked]");
        browser.await("document.querySelector('#keys-body td.k-until')?.textContent.startsWith('9\u00a0min')");
        browser.screenshot("blocked");

        openKey("mallory");
        browser.awaitText("#block", "Unblock");
        confirm("#block", "Its limits decide again");
        browser.awaitText("#sheet-next dt", "Next permit");
        assertThat(decision().containsKey("blocked")).isFalse();
        assertThat(top("blocked")).isEmpty();
        assertNothingLogged();
    }

    @Test
    void block_thatDenies_isNamed_asNoLimitDoes() throws IOException {
        start(CONFIGURATION);
        open();
        call("PUT", "/v1/keys/mallory/block?policy=api&for=10m", "");

        assertThat(send("mallory", "api", 7)).isEqualTo(7);

        browser.awaitText("#answer-denied .sub", "7 in the last minute, 100\u00a0% of 7 decisions.");
        assertThat(browser.text("#answer-who .big")).isEqualTo("Nobody");
        assertThat(browser.text("#answer-who .sub"))
                .isEqualTo("No limit denied a key in the last minute. Denied without a limit: 7 by blocks.");
        assertNothingLogged();
    }

    @Test
    void reset_statesItsEffect_andForgetsWhatWasGranted() throws IOException {
        start(CONFIGURATION);
        send("mallory", "api", 12);
        open();
        openKey("mallory");
        assertThat(browser.text("#sheet-next div:nth-child(2) dd")).isEqualTo("5 of 5");

        browser.click("#reset");
        assertThat(browser.text("#confirmation p"))
                .startsWith("Forgets 5 admitted permits: up to 5 more can pass at once, so a window may hold 10.");
        browser.find("#confirmation .btn:not(#confirm)").click();
        assertThat(browser.text("#confirmation")).isEmpty();
        assertThat(decision().getBoolean("allowed")).isFalse();
        confirm("#reset", "so a window may hold 10");

        browser.awaitText("#sheet-next div:nth-child(1) dd", "now");
        browser.awaitText("#keys-body td.k-next", "now");
        assertThat(decision().getBoolean("allowed")).isTrue();
        assertNothingLogged();
    }

    @Test
    void sheet_showsTheLogItsWaitAndItsRules() throws IOException {
        start(CONFIGURATION);
        send("mallory", "api", 12);
        open();
        openKey("mallory");

        assertThat(browser.text("#sheet-next dd")).matches("in 1[45]\u00a0min.*");
        assertThat(browser.texts("#log-tabs button")).hasSize(2);
        assertThat(browser.text("#log-tabs [aria-pressed=true]")).contains("5/15m");
        assertThat(browser.find("#log").getDomAttribute("aria-label"))
                .startsWith("All 5 permits are used")
                .endsWith(". 7 denied in the window");
        assertThat(browser.text("#log .wait-label")).startsWith("frees in 1");
        assertThat(browser.all("#log path.allowed")).hasSize(1);
        assertThat(path("allowed")).asString().startsWith("M");
        assertThat(path("denied")).asString().startsWith("M");
        assertThat(browser.text("#log-note")).startsWith("Admitted above the line, denied below.");
        assertThat(browser.texts("#sheet-rules li")).hasSize(2).anyMatch(rule -> rule.contains("5 of 5 used: denies"));
        assertThat(browser.texts("#log-fits dt")).contains("1 permit", "5 permits");
        assertThat(browser.value("document.getElementById('sheet-next').getBoundingClientRect().top"
                        + " - document.querySelector('.sheet header').getBoundingClientRect().bottom"))
                .isEqualTo(20L); // an empty message takes no room
        browser.screenshot("key-light");
        browser.media("dark");
        browser.screenshot("key-dark");
        browser.awaitText("#sheet-next div:nth-child(3) dd", "2.4×");
        browser.click("#log-tabs button:first-child");
        assertThat(browser.text("#sheet-next div:nth-child(2) dd")).isEqualTo("5 of 100");
        assertThat(browser.text("#sheet-next div:nth-child(3) dd")).isEqualTo("–"); // that limit denied nothing

        browser.command(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        browser.click("#copy");
        browser.await("document.querySelector('#confirmation textarea, #confirmation code') !== null");
        assertThat(browser.text("#confirmation")).contains("./weir verify --limit");
        assertNothingLogged();
    }

    /** A page may be left open beside a server that is stopped for hours. */
    @Test
    void sheet_serverDoesNotAnswer_isReported_andSendsOneCall() throws IOException {
        start("policies: {api: 2/1h}");
        send("mallory", "api", 3);
        open();
        openKey("mallory");
        browser.value(
                "(window.waiting = 0, window.most = 0, window.fetch = (path, {signal}) => new Promise((_, reject) => {"
                        + " window.most = Math.max(window.most, ++window.waiting);"
                        + " signal.addEventListener('abort', () => { window.waiting--; reject(signal.reason); }); }))");

        browser.awaitText("#sheet-problem", "Not current: the server does not answer");
        assertThat(browser.value("window.most")).isEqualTo(1L);
        assertNothingLogged();
    }

    /** The wait runs on between the answers, but what is used is of the last one. */
    @Test
    void sheet_waitThatEndsBeforeTheNextAnswer_isNotOver() throws IOException {
        start("policies: {api: 2/1h}");
        send("mallory", "api", 3);
        open();
        openKey("mallory");
        browser.value("(window.fetch = () => new Promise(() => {}),"
                + " performance.now = (now => () => now() + 3_600_000)(performance.now.bind(performance)),"
                + " window.drawn = document.querySelector('#log').firstChild)");
        browser.await("!window.drawn.isConnected");

        assertThat(browser.texts("#sheet-next dd").subList(0, 3))
                .containsExactly("in 0.1\u00a0s", "if nothing else happens", "2 of 2");
        assertThat(browser.text("#log .wait-label")).isEqualTo("frees in 0.1\u00a0s");
        assertThat(browser.find("#log").getDomAttribute("aria-label")).startsWith("All 2 permits are used");
        assertThat(browser.texts("#log-fits dd")).first().isEqualTo("in 0.1\u00a0s");
    }

    @Test
    void sheet_limitThatCountsAttempts_callsNoneOfThemAdmitted() throws IOException {
        start("policies: {login: 3/1h count=attempts}");
        send("mallory", "login", 10);
        open();
        openKey("mallory");

        assertThat(browser.text("#log-note")).startsWith("Attempts that count above the line, those denied below.");
        assertThat(browser.text("#log")).contains("when it was requested").doesNotContain("admitted");
        browser.click("#copy");
        browser.awaitText(
                "#confirmation",
                "Not copied: the log of 'sliding-log 3/1h count=attempts' has attempts, so it does not say what was granted");
        browser.console(); // names the call that was refused
    }

    @Test
    void sheet_logIsLongerThanItsPicture_saysSo() throws IOException {
        try (RedisServer redis = RedisServer.start()) { // which reports 1,000 runs
            start(
                    new ServerSettings().redis(redis.uri()).storeTimeout(Duration.ofSeconds(10)),
                    "policies: {api: 1300/1h resolution=1us}");
            send("alice", "api", 1_050);
            open();
            browser.click("[data-view=fullest]");
            openKey("alice");

            assertThat(browser.text("#sheet-next div:nth-child(2) dd")).isEqualTo("1,050 of 1,300");
            assertThat(browser.text("#log-note")).contains("Only the newest part of this long log is drawn.");
            assertNothingLogged();
        }
    }

    @Test
    void sheet_limitOfZero_hasNoNextPermit() throws IOException {
        start("domain: edge\ndescriptors: [{key: path, rate_limit: {unit: hour, requests_per_unit: 0}}]");
        call("PUT", "/v1/keys/path=x/block?domain=edge&for=1h", "");
        open();
        browser.click("[data-view=blocked]");
        openKey("path=x");
        call("DELETE", "/v1/keys/path=x/block?domain=edge", "");

        browser.awaitText("#sheet-next div:nth-child(1) dd", "never");
        assertThat(browser.texts("#sheet-next .sub")).startsWith("the limit is 0", "edge.path denies everything");
        assertThat(browser.text("#sheet-next div:nth-child(2) dd")).isEqualTo("0 of 0");
        assertThat(browser.is("document.getElementById('log-figure').hidden")).isTrue();
        assertThat(browser.texts("#sheet-rules li")).anyMatch(rule -> rule.contains("a limit of 0: denies"));
        browser.screenshot("key-limit-of-zero");
        assertNothingLogged();
    }

    @Test
    void sheet_levelOfABucket_isDrawnUntilItIsFull() throws IOException {
        start("policies: {api: token-bucket 60/1h burst=10}");
        send("mallory", "api", 12);
        open();
        openKey("mallory");

        assertThat(browser.texts("#log-fits dt")).containsExactly("1 permit", "5 permits", "10 permits");
        assertThat(browser.texts("#log-fits dd").get(2)).matches("in (9 min.*|10 min)");
        assertThat(browser.text("#log")).containsPattern("\\+1[01] min");
        double[] level = Pattern.compile("[\\d.]+ ([\\d.]+)(?:L|$)")
                .matcher(String.valueOf(path("trend")))
                .results()
                .mapToDouble(point -> Double.parseDouble(point.group(1)))
                .toArray();
        assertThat(level).hasSize(5); // now, three fits, and the end
        assertThat(level[4])
                .as("the level of a full bucket")
                .isEqualTo(level[3])
                .isLessThan(level[2]);
        assertNothingLogged();
    }

    /** Another process reserves on the same Redis. */
    @Test
    void sheet_showsPendingReservationsRightOfNow() throws IOException {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            start(
                    new ServerSettings().redis(redis.uri()).storeTimeout(Duration.ofSeconds(10)),
                    "policies: {api: 5/1m}");
            send("mallory", "api", 12);
            RateLimiter limiter =
                    RateLimiter.builder().name("api").limit("5/1m").store(store).build();
            Reservation reserved = limiter.reserve("mallory", 2, Duration.ofMinutes(5));
            assertThat(reserved.decision().allowed()).isTrue();
            open();
            openKey("mallory");

            browser.await("document.querySelector('#log path.pending')?.getAttribute('d').startsWith('M')");
            Object right = browser.value("""
                    (function() {
                      const now = [...document.querySelectorAll('#log text')].filter(text => text.textContent === 'now')
                        .map(text => text.getBoundingClientRect()).reduce((a, b) => (a.top < b.top ? a : b));
                      return document.querySelector('#log path.pending').getBoundingClientRect().left
                        - (now.left + now.right) / 2;
                    })()""");
            assertThat(((Number) right).doubleValue()).isGreaterThan(20); // pixels, of 592
            browser.screenshot("key-pending");
        }
        assertNothingLogged();
    }

    @Test
    void keyboard_reachesEverything() throws IOException {
        start(CONFIGURATION);
        send("mallory", "api", 12);
        send("bob", "api", 3);
        open();
        browser.await("document.querySelector('.open-key') !== null");

        String focused = "document.activeElement.textContent";
        for (int i = 0; i < 20 && !browser.value(focused).equals("mallory"); i++) {
            browser.tab();
        }
        assertThat(browser.value(focused)).isEqualTo("mallory");
        browser.press(Keys.ENTER);
        browser.await("document.getElementById('sheet').open");
        assertThat(browser.value("document.activeElement.id")).isEqualTo("sheet-close");
        for (int i = 0; i < 12; i++) {
            browser.tab();
            assertThat(browser.is("document.activeElement.closest('main') === null"))
                    .isTrue(); // it stays in the dialog
        }
        browser.press(Keys.ESCAPE);
        browser.await("!document.getElementById('sheet').open");
        assertThat(browser.value(focused)).isEqualTo("mallory");

        browser.press("/");
        browser.value("document.getElementById('sheet').dispatchEvent(new Event('close'))"); // as if it came late
        assertThat(browser.value("document.activeElement.id")).isEqualTo("filter");
        browser.press("slow");
        assertThat(browser.texts("#limits-body tr")).hasSize(1);
        browser.press("p"); // text, not a command
        assertThat(browser.text("#age")).isEqualTo("live, 1/s");
        assertThat(browser.text("#limits-body")).isEqualTo("No limit matches.");

        browser.click("#shortcuts"); // off
        browser.press("p");
        assertThat(browser.text("#age")).isEqualTo("live, 1/s");
        browser.click("#shortcuts");
        browser.press("p");
        assertThat(browser.text("#age")).isEqualTo("paused");
        assertNothingLogged();
    }
}
