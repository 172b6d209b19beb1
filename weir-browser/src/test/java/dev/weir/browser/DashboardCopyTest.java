package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key is copied as it is, whatever the page shows of it. */
final class DashboardCopyTest extends DashboardTest {
    private static final String CONFIGURATION = "policies: {api: 5/1m}";
    private static final String HOSTILE = " user:\u202egpj.exe\u202c\u200b\r\n\ttab\u0001<b>\u00a0\ud83d\ude00  ";
    private static final String LONG = "x".repeat(1_019) + "\u202e  "; // 1,024 bytes
    private static final String DESCRIPTOR = "path=/" + "y".repeat(200) + "\\,z";

    @BeforeEach
    void permitReading() {
        browser.command(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
    }

    /** Returns the text, encoded on its way, on which the driver would change line breaks. */
    private static String clipboard() {
        Object text = browser.value("navigator.clipboard.readText().then(encodeURIComponent)");
        return URLDecoder.decode(String.valueOf(text), StandardCharsets.UTF_8);
    }

    /** Opens the first listed key, copies it, and closes it. */
    private static void copyFirst() {
        browser.click(".open-key");
        browser.await("!document.getElementById('copy-key').disabled");
        assertThat(browser.text("#confirmation")).isEmpty();
        browser.click("#copy-key");
        browser.awaitText("#confirmation p", "Key copied.");
        browser.screenshot("copied");
        browser.click("#sheet-close");
    }

    @Test
    void key_isCopiedWithAllOfItsCharacters() throws IOException {
        for (String key : List.of(HOSTILE, LONG)) {
            start(CONFIGURATION);
            send(key, "api", 9);
            open();
            browser.await("document.querySelector('.open-key') !== null");
            copyFirst();
            assertThat(clipboard()).isEqualTo(key);
            assertNothingLogged();
            stop(); // after the page has left, which would log that it cannot connect
        }
    }

    @Test
    void longDescriptor_isCopiedAsCallsTakeIt() throws IOException {
        start("domain: 'ed,ge'\ndescriptors: [{key: path, rate_limit: {unit: hour, requests_per_unit: 0}}]");
        String path = URLEncoder.encode(DESCRIPTOR, StandardCharsets.UTF_8);
        assertThat(call("PUT", "/v1/keys/" + path + "/block?domain=ed%2Cge&for=1h", "")
                        .statusCode())
                .isEqualTo(204);
        open();
        browser.click("[data-view=blocked]");
        browser.await("document.querySelector('.open-key') !== null");
        copyFirst();
        assertThat(clipboard()).isEqualTo(DESCRIPTOR);
        assertNothingLogged();
    }

    /** The log that is copied is that of the limit with the longest window, whichever denied. */
    @Test
    void trace_isCheckedWithTheLimitWhoseLogItIs() throws IOException {
        start("policies: {api: [5/1m, 9/1h, token-bucket 60/1d]}");
        send("alice", "api", 9);
        call("PUT", "/v1/keys/alice/block?policy=api&for=1h", "");
        open();
        for (String view : List.of("denied", "blocked")) {
            browser.click("[data-view=" + view + "]");
            browser.click(".open-key");
            browser.await("!document.getElementById('copy-key').disabled");
            browser.click("#copy");
            browser.awaitText(
                    "#confirmation p",
                    "Copied. Save it and check it with ./weir verify --limit \"sliding-log 9/1h\" trace.csv");
            assertThat(clipboard().lines()).hasSizeGreaterThan(1);
            browser.click("#sheet-close");
        }
        assertNothingLogged();
    }

    @Test
    void pageOfAnotherMachineWithoutTls_copiesAllTheSame() throws IOException {
        start(new ServerSettings().adminToken(Files.writeString(directory.resolve("token"), "secret")), CONFIGURATION);
        send(HOSTILE, "api", 9);
        browser.open(address("/").replace("127.0.0.1", "weir.test"));
        browser.await("!document.getElementById('gate').hidden");
        browser.press("secret\n");
        browser.await("document.querySelector('.open-key') !== null");
        assertThat(browser.is("navigator.clipboard === undefined")).isTrue();
        copyFirst();

        browser.open(address("/")); // which may read the clipboard
        assertThat(clipboard()).isEqualTo(HOSTILE);
        assertThat(browser.console()).allMatch(line -> line.contains("401"));
    }
}
