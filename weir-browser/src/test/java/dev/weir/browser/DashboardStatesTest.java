package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The states of the page: empty, paused, without its server, locked, on a phone; and untrusted text. */
final class DashboardStatesTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 5/1m}";
    private static final String HOSTILE_SCRIPT = "<script>document.title='pwned'</script><img src=x onerror=alert(1)>";
    private static final String REORDERED = "user:\u202egpj.exe\u202c\u200b";
    private static final String LONG = "session:" + "W".repeat(292);

    @Test
    void empty_page_showsACommandThatFillsIt() throws IOException {
        start(CONFIGURATION);
        open();
        assertThat(browser.text("#answer-who .big")).isEqualTo("Nobody");
        assertThat(browser.text("#answer-right .big")).isEqualTo("Nothing to judge");
        assertThat(browser.text(".empty pre"))
                .contains(address("/v1/decide"), "{\"key\":\"demo\",\"limits\":[\"3/1m\"]}");
        browser.screenshot("empty");

        for (int i = 1; i <= 4; i++) {
            call("POST", "/v1/decide", "{\"key\":\"demo\",\"limits\":[\"3/1m\"]}");
        }

        browser.awaitText("#answer-who .big", "1 key");
        browser.awaitText(".open-key", "demo");
        assertThat(browser.text("#answer-right .big")).isEqualTo("Too few to judge");
        openKey("demo");
        assertThat(browser.text("#sheet-next div:nth-child(2) dd")).isEqualTo("3 of 3");
        assertNothingLogged();
    }

    @Test
    void moreLimitsThanRows_sentencesNameNoLimit() throws IOException {
        List<String> policies =
                IntStream.range(1_000, 1_600).mapToObj(i -> "p" + i).toList();
        start(policies.stream().collect(Collectors.joining(": 1/1m, ", "policies: {", ": 1/1m}")));
        policies.subList(0, 510).forEach(policy -> send("first", policy, 1));
        open();
        for (int i = 0; i < 8; i++) {
            assertThat(send("user " + i, "p1599", 3)).isEqualTo(2);
        }

        browser.awaitText("#answer-denied .sub", "16 in the last minute, 3.0\u00a0% of 534 decisions.");
        assertThat(browser.text("#answer-who .sub")).isEqualTo("denied in the last minute; 518 active now.");
        assertThat(browser.text("#answer-right .big")).isEqualTo("Doubtful: spread");
        assertThat(browser.text("#answer-right .sub")).isEqualTo("No key has more than 12.5\u00a0% of the denials.");
        assertThat(browser.text("#limits-note")).isEqualTo("400 listed and others in one row, 1 denying");
        browser.screenshot("many-limits");
        assertNothingLogged();
    }

    @Test
    void hostileKeys_areShownAsText() throws IOException {
        start(CONFIGURATION);
        open();
        for (String key : List.of(HOSTILE_SCRIPT, REORDERED, LONG)) {
            send(key, "api", 9);
        }
        browser.awaitText("#answer-who .big", "3 keys");
        browser.await("document.querySelectorAll('.open-key').length === 3");

        assertThat(browser.texts(".open-key"))
                .contains(HOSTILE_SCRIPT, "user:U+202Egpj.exeU+202CU+200B")
                .anyMatch(text -> text.startsWith("session:WWWW"));
        assertThat(browser.is("/[\\u202a-\\u202e\\u200b]/.test(document.documentElement.outerHTML)"))
                .isFalse();
        assertThat(browser.all("main script, main img")).isEmpty();
        assertThat(browser.value("document.title")).isEqualTo("(3) Weir");
        browser.phone();
        assertThat(browser.scrollsSideways()).isFalse();
        browser.screenshot("hostile-phone");
        for (String shown : browser.texts(".open-key")) {
            openKey(shown);
            browser.awaitText("#sheet-next div:nth-child(2) dd", "5 of 5");
            assertThat(browser.is("document.getElementById('sheet').scrollWidth > innerWidth"))
                    .isFalse();
            browser.screenshot("hostile-key-" + shown.length());
            browser.click("#sheet-close");
        }
        browser.desktop();
        browser.screenshot("hostile");
        assertNothingLogged();
    }

    @Test
    void paused_page_doesNotChange_andShowsTheCurrentStateWhenResumed() throws IOException {
        start(CONFIGURATION);
        open();
        send("alice", "api", 20);
        browser.awaitText("#answer-who .big", "1 key");

        browser.press("p");
        browser.awaitText("#age", "paused");
        String before = browser.text("#answer-denied .sub"); // maybe not yet with all requests
        send("bob", "api", 20);
        Await.until("two keys at the API", () -> top("denied").size() == 2);
        assertThat(browser.text("#answer-denied .sub")).isEqualTo(before);
        assertThat(browser.texts(".open-key")).containsExactly("alice");
        browser.click("#pause");

        browser.awaitText("#answer-who .big", "2 keys");
        browser.await("document.querySelector('#answer-denied .sub').textContent.startsWith('30 in the last minute')");
        assertNothingLogged();
    }

    @Test
    void rows_underThePointer_doNotMove() throws IOException {
        start(CONFIGURATION);
        open();
        send("alice", "api", 10);
        browser.awaitText(".open-key", "alice");
        browser.pointAt(".open-key");
        send("bob", "api", 40);

        browser.await("document.querySelectorAll('.open-key').length === 2");
        assertThat(browser.texts(".open-key")).containsExactly("alice", "bob");
        browser.pointAway();
        browser.await("document.querySelector('.open-key').textContent === 'bob'");
        browser.pointAt(".open-key");
        send("carol", "api", 9);

        browser.await("document.querySelectorAll('.open-key').length === 3");
        assertThat(browser.texts(".open-key")).containsExactly("bob", "alice", "carol");
        assertNothingLogged();
    }

    @Test
    void lostServer_isReported_andThePageReconnects() throws IOException {
        start(CONFIGURATION);
        open();
        send("alice", "api", 20);
        browser.awaitText("#answer-who .big", "1 key");

        stopServer();
        browser.await("document.getElementById('age').textContent.startsWith('lost ')");
        browser.await("document.body.classList.contains('stale')");
        assertThat(browser.text("#answer-who .big")).isEqualTo("1 key"); // what was known stays
        browser.screenshot("lost");
        browser.await(
                "document.getElementById('say').textContent.startsWith('The server does not answer. The figures are those of ')");
        start(CONFIGURATION);

        browser.awaitText("#age", "live, 1/s");
        browser.awaitText("#answer-who .big", "Nobody");
        assertThat(browser.console()).allMatch(line -> line.contains("/v1/events") && line.contains("net::ERR_"));
    }

    @Test
    void tooManyBrowsers_isReported_untilThereIsRoom() throws IOException, InterruptedException {
        start(CONFIGURATION);
        HttpRequest stream =
                HttpRequest.newBuilder(URI.create(address("/v1/events"))).build();
        List<InputStream> streams = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            streams.add(HttpClient.newHttpClient()
                    .send(stream, BodyHandlers.ofInputStream())
                    .body());
        }
        browser.open(address("/"));
        browser.awaitText("#not-current", "The server says: there are too many streams.");
        browser.screenshot("too-many-browsers");

        for (InputStream open : streams) {
            open.close();
        }

        browser.awaitText("#age", "live, 1/s");
        assertThat(browser.is("document.getElementById('not-current').hidden")).isTrue();
        assertThat(browser.console()).allMatch(line -> line.contains("503"));
    }

    @Test
    void serverWithToken_isShownWithItOnly() throws IOException {
        start(new ServerSettings().adminToken(Files.writeString(directory.resolve("token"), "secret")), CONFIGURATION);
        browser.open(address("/"));
        browser.await("!document.getElementById('gate').hidden");
        assertThat(browser.is("document.getElementById('content').hidden")).isTrue();
        assertThat(browser.text("#gate-text")).startsWith("It is the content of the file of --token-file.");
        browser.screenshot("token");

        browser.press("wrong\n");
        browser.awaitText(
                "#gate-text",
                "The token was not accepted. It is the content of the file of --token-file. The page keeps it until it is"
                        + " closed or reloaded, and stores it nowhere.");
        assertThat(browser.text("#age")).isEqualTo("token needed");
        browser.screenshot("token-not-accepted");
        browser.press("secret\n");

        browser.awaitText("#answer-who .big", "Nobody");
        assertThat(browser.is("document.getElementById('gate').hidden")).isTrue();
        assertThat(browser.value("location.href")).isEqualTo(address("/"));
        assertThat(browser.value("localStorage.length + sessionStorage.length + document.cookie.length"))
                .isEqualTo(0L);
        assertThat(browser.console()).allMatch(line -> line.contains("401"));
    }

    /** The answer to a call that was given up must not end the one that has replaced it. */
    @Test
    void stream_openedAgainDuringARefusal_isKept() throws IOException {
        start(CONFIGURATION);
        open();

        assertThat(browser.value("""
                (async () => {
                  const { Connection } = await import('/dashboard/connection.js');
                  const served = window.fetch;
                  const aborted = signal => new Promise((_, fail) => signal.addEventListener('abort', fail));
                  const live = new Promise(done => {
                    const connection = new Connection('/v1/events', () => {}, phase => {
                      if (phase === 'token' || phase === 'live') done(phase);
                    });
                    window.fetch = async (path, { signal }) => {
                      window.fetch = served;
                      setTimeout(() => connection.open());
                      return { status: 401, ok: false, json: () => aborted(signal) };
                    };
                    connection.open();
                  });
                  return await live;
                })()""")).isEqualTo("live");
        assertNothingLogged();
    }

    @Test
    void phone_darkAndPrint_fit() throws IOException {
        start(CONFIGURATION);
        send("203.0.113.77", "api", 30);
        send("2001:db8:85a3::8a2e:370:7334", "api", 20);
        open();
        browser.await("document.querySelectorAll('.open-key').length === 2");
        browser.screenshot("light");
        browser.media("dark");
        browser.screenshot("dark");
        browser.phone();
        assertThat(browser.scrollsSideways()).isFalse();
        assertThat(browser.is(
                        "document.querySelector('#answer-store').getBoundingClientRect().bottom < innerHeight * .6"))
                .isTrue();
        browser.screenshot("phone");
        browser.media("light");
        for (int width : new int[] {1_200, 1_081, 800, 720}) { // 720 is a desktop at 200 %
            browser.size(width, 900);
            assertThat(browser.scrollsSideways()).isFalse();
            assertThat(browser.is(
                            "[...document.querySelectorAll('dd.big')].every(e => e.scrollWidth <= e.clientWidth)"))
                    .isTrue();
        }
        assertNothingLogged();
    }
}
