package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.server.ServerSettings;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the page says of the store: that Redis does not answer, that it refuses, and that the memory is full. */
final class DashboardStoreTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 5/1m}";

    private void startOn(RedisServer redis, Duration timeout) throws IOException {
        start(
                new ServerSettings().redis(redis.uri()).storeTimeout(timeout).whenStoreFails(FailurePolicy.local(0.25)),
                CONFIGURATION);
    }

    @Test
    void unreachableRedis_isAWarning_untilItAnswers() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            startOn(redis, Duration.ofMillis(200));
            send("alice", "api", 20);
            open();
            browser.awaitText("#answer-store .big", "Healthy");

            redis.pause();
            awaitStore("Redis unreachable");
            assertThat(browser.text("#answer-store .sub")).contains("Deciding locally with 25\u00a0% of each limit");
            assertThat(browser.find("#answer-store").getDomAttribute("class")).isEqualTo("bad");
            assertThat(browser.texts("#limits-body .tag")).contains("local 25\u00a0%");
            assertThat(browser.find("#denied-chart .outage").getDomAttribute("d"))
                    .startsWith("M");
            assertThat(browser.value("document.title")).asString().startsWith("! ");
            browser.screenshot("degraded");

            redis.resume();
            awaitStore("Healthy");
            assertThat(browser.value("document.title")).asString().doesNotStartWith("! ");
            open();
            assertThat(browser.find("#denied-chart .outage").getDomAttribute("d"))
                    .startsWith("M"); // the server knows of it
        }
        assertNothingLogged();
    }

    /** The circuit stays closed. */
    @Test
    void redisRefuses_isAWarning_untilItDecides() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            startOn(redis, Duration.ofMillis(500));
            open();
            awaitStore("Healthy");

            redis.command("CONFIG", "SET", "maxmemory", "1");
            awaitStore("Degraded");
            assertThat(browser.text("#answer-store .sub"))
                    .matches(
                            "The failure policy \\(local 25\u00a0%\\) made [0-9.]+\u00a0% of the decisions of the last 10 s\\. .*");
            assertThat(browser.find("#answer-store").getDomAttribute("class")).isEqualTo("bad");
            assertThat(browser.text("#store-stats")).contains("closed");
            assertThat(browser.text("#store-reason")).startsWith("Latest failure: Redis refused: OOM ");
            assertThat(browser.value("document.title")).asString().startsWith("! ");

            redis.command("CONFIG", "SET", "maxmemory", "0");
            awaitStore("Healthy");
            assertThat(browser.text("#store-reason")).isEmpty();
            assertThat(browser.value("document.title")).asString().doesNotStartWith("! ");
        }
        assertNothingLogged();
    }

    /** Keys that made one request each are no sign of a limit that is too low. */
    @Test
    void memoryIsFull_isNotJudged() throws IOException {
        start(new ServerSettings().maxKeys(5), "policies: {api: 5/1m}");
        send("first", "api", 1);
        open();
        awaitStore("Full");

        assertThat(browser.text("#answer-store .sub"))
                .matches("It denied [0-9]+ requests? for new keys in 5 minutes\\. .*");
        assertThat(browser.text("#store-stats")).startsWith("keys5room used100\u00a0%heap");
        assertThat(browser.text("#answer-right .big")).isEqualTo("Nothing to judge");
        assertThat(browser.text("#answer-who .big")).isEqualTo("Nobody");
        assertThat(browser.text("#answer-who .sub"))
                .matches(
                        "No limit denied a key in the last minute\\. Denied without a limit: [0-9]+ by the full store\\.");
        assertNothingLogged();
    }

    /** Makes requests, each of a new key so that none is answered without the store, until the page says how the store is. */
    private void awaitStore(String state) {
        int[] keys = {0};
        Await.until(state, () -> {
            send(state + keys[0]++, "api", 1);
            return browser.value(
                            "new Promise(done => setTimeout(() =>" // the page changes once a second
                                    + " done(document.querySelector('#answer-store .big').textContent), 200))")
                    .equals(state);
        });
    }
}
