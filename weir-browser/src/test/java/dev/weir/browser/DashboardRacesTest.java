package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that arrive late, and what a reader does meanwhile. */
final class DashboardRacesTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 2/1h}";

    /** Holds the answer to the next call whose path contains a text, until {@code release()}. */
    private static void hold(String part) {
        browser.value("""
                (function(part) {
                  const served = window.fetch;
                  const released = new Promise(release => { window.release = release; });
                  window.held = false;
                  window.fetch = async (path, options) => {
                    if (!path.includes(part)) return served(path, options);
                    window.fetch = served;
                    const response = await served(path, options);
                    window.held = true;
                    await released;
                    return response;
                  };
                })(arguments[0])""", part);
    }

    private static void release() {
        browser.value("window.release()");
    }

    /** Opens the sheet of alice, whose limit is used up. */
    private void openLimitedKey() throws IOException {
        start(CONFIGURATION);
        send("alice", "api", 3);
        open();
        openKey("alice");
    }

    @Test
    void answerToAnEarlierCall_doesNotReplaceALaterOne() throws IOException {
        openLimitedKey();
        hold("/v1/keys/alice?");
        browser.await("window.held");
        browser.value(
                "(window.terms = [], new MutationObserver(() =>"
                        + " window.terms.push(document.querySelector('#sheet-next dt').textContent))"
                        + ".observe(document.getElementById('sheet-next'), {subtree: true, childList: true, characterData: true}))");

        browser.click("#block");
        browser.click("#confirm");
        browser.awaitText("#sheet-next dt", "Blocked");
        release();
        browser.await("window.terms.length > 10"); // it counts down

        assertThat(browser.value("new Set(window.terms.slice(window.terms.indexOf('Blocked'))).size"))
                .isEqualTo(1L);
        assertNothingLogged();
    }

    @Test
    void traceThatArrives_whenAnotherKeyIsOpen_isNotCopied() throws IOException {
        start(CONFIGURATION);
        send("alice", "api", 4);
        send("bob", "api", 3);
        open();
        openKey("alice");
        hold("/trace.csv");
        browser.value("(window.copied = 0, document.addEventListener('copy', () => window.copied++),"
                + " navigator.clipboard.writeText = async () => { window.copied++; })");
        browser.click("#copy");
        browser.await("window.held");
        browser.click("#sheet-close");
        openKey("bob");

        release();
        browser.value("new Promise(done => setTimeout(done))"); // after what the answer causes

        assertThat(browser.text("#confirmation")).isEmpty();
        assertThat(browser.value("window.copied")).isEqualTo(0L);
        assertNothingLogged();
    }

    @Test
    void block_takesAsLongAsItsConfirmationSays() throws IOException {
        openLimitedKey();
        browser.click("#block");
        browser.find("#block-for").sendKeys("24");
        assertThat(browser.value("document.getElementById('block-for').value")).isEqualTo("1d");

        browser.click("#confirm");
        browser.awaitText("#confirmation p", "Done.");

        assertThat(Instant.parse(top("blocked").get(0).getString("until")))
                .isBefore(Instant.now().plus(11, ChronoUnit.MINUTES));
        assertNothingLogged();
    }

    @Test
    void actionThatIsSent_cannotBeCancelled() throws IOException {
        openLimitedKey();
        hold("/block");
        browser.click("#block");
        browser.click("#confirm");

        assertThat(browser.all("#confirmation button:enabled")).isEmpty();
        release();
        browser.awaitText("#confirmation p", "Done.");
        assertThat(browser.value("document.activeElement.id")).isEqualTo("block");
        assertNothingLogged();
    }

    @Test
    void actionWithoutAnAnswer_isNotKnownToBeDone() throws IOException {
        openLimitedKey();
        browser.value("(window.fetch = (path, { signal }) =>"
                + " new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))))");
        browser.click("#block");
        browser.click("#confirm");

        browser.awaitText("#confirmation p", "It is not known whether it was done: the server does not answer");
        assertNothingLogged();
    }

    /** Redis may have done it, and a server behind a proxy, too. */
    @ParameterizedTest
    @ValueSource(ints = {502, 503})
    void actionThatFailed_isNotKnownToBeDone(int status) throws IOException {
        openLimitedKey();
        String answer = "(window.fetch = async () => new Response('{\"detail\": \"no answer\"}', { status: %s }))";
        browser.value(answer.formatted(status));
        browser.click("#block");
        browser.click("#confirm");

        browser.awaitText("#confirmation p", "It is not known whether it was done: no answer");
        assertNothingLogged();
    }

    /** Nothing can be expected of a server in the moment in which the page is resumed. */
    @Test
    void resumedPage_doesNotSayThatTheServerIsLost() throws IOException {
        start(CONFIGURATION);
        open();
        browser.awaitText("#age", "live, 1/s");
        browser.click("#pause");
        browser.value("(Date.now = (now => () => now() + 60_000)(Date.now))");
        hold("/v1/events");

        browser.click("#pause");
        browser.await("window.held");

        assertThat(browser.text("#age")).isEqualTo("connecting");
        assertThat(browser.is("document.getElementById('not-current').hidden")).isTrue();
        assertThat(browser.is("document.body.classList.contains('stale')")).isFalse();
        assertThat(browser.text("#say")).doesNotContain("does not answer");
        release();
        browser.awaitText("#age", "live, 1/s");
        assertNothingLogged();
    }

    @Test
    void lockedPage_staysLocked_whenItIsHiddenOrTheTokenIsSent() throws IOException {
        start(new ServerSettings().adminToken(Files.writeString(directory.resolve("token"), "secret")), CONFIGURATION);
        browser.open(address("/"));
        browser.await("!document.getElementById('gate').hidden");
        assertThat(browser.find("#pause").isEnabled()).isFalse();
        browser.value("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }))");
        assertThat(browser.text("#age")).isEqualTo("token needed");
        hold("/v1/events");

        browser.press("secret\n");
        browser.await("window.held");

        assertThat(browser.is("document.getElementById('content').hidden")).isTrue();
        release();
        browser.awaitText("#age", "live, 1/s");
        assertThat(browser.is("document.getElementById('gate').hidden")).isTrue();
        assertThat(browser.find("#pause").isEnabled()).isTrue();
        assertThat(browser.console()).allMatch(line -> line.contains("401"));
    }

    @Test
    void keyThatIsHeldDown_pausesOnce() throws IOException {
        start(CONFIGURATION);
        open();
        browser.value("[false, true].forEach(repeat => document.body.dispatchEvent("
                + "new KeyboardEvent('keydown', { key: 'p', repeat, bubbles: true })))");

        assertThat(browser.text("#age")).isEqualTo("paused");
        assertNothingLogged();
    }

    /** A fault of the page is not one of the server. */
    @Test
    void eventThatCannotBeDrawn_isLogged() throws IOException {
        start(CONFIGURATION);
        open();
        browser.value("(JSON.parse = (parse => text => { JSON.parse = parse; return { second: 0 }; })(JSON.parse))");

        browser.await("document.getElementById('age').textContent.startsWith('lost ')");
        browser.awaitText("#age", "live, 1/s");
        assertThat(browser.console()).anyMatch(line -> line.contains("TypeError"));
    }
}
