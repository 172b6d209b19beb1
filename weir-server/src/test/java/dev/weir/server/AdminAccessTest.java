package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys are shown to and changed by callers with the token, which may change, and by programs on this machine. */
final class AdminAccessTest extends ServerTest {
    private static final String CONFIGURATION = "policies: {api: 3/1h}\n";
    private static final String DECIDE = "{\"key\":\"a/b\",\"policy\":\"api\"}";
    private static final String KEY = "/v1/keys/a%2Fb?policy=api";

    @Test
    void token_isNeeded() throws IOException {
        start(new ServerSettings().adminToken(token("secret")), CONFIGURATION);

        HttpResponse<String> refused = get(KEY);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(get(KEY, "Authorization", "Bearer secreT").statusCode()).isEqualTo(401);
        assertThat(get(KEY, "Authorization", "Basic secret").statusCode()).isEqualTo(401);
        assertThat(get(KEY, "Authorization", "Bearer secret").statusCode()).isEqualTo(200);
        assertThat(get(KEY, "Authorization", "bearer secret").statusCode()).isEqualTo(200);
        assertThat(get("/v1/configuration").statusCode()).isEqualTo(401);
        assertThat(http("PUT", "/v1/keys/a/block?policy=api&for=1h", "").statusCode())
                .isEqualTo(401);
        assertThat(decide(DECIDE).statusCode()).isEqualTo(200);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1\r\nHost: evil.example",
                "1.1\r\nHost: localhost.evil.example",
                "1.1\r\nHost: localhost\r\nX-Forwarded-For: 127.0.0.1",
                "1.1\r\nHost: localhost\r\nX-Forwarded-Host: localhost",
                "1.1\r\nHost: localhost\r\nX-Forwarded-Proto: http",
                "1.1\r\nHost: localhost\r\nForwarded: for=127.0.0.1",
                "1.1\r\nHost: localhost\r\nX-Real-IP: 127.0.0.1",
                "1.1\r\nHost: localhost\r\nVia: 1.1 proxy",
                "1.0\r\nHost: localhost" // as nginx before 1.29.7 forwards a request by default
            })
    void withoutToken_throughProxyOrUnderOtherName_isRefused(String versionAndHeaders) throws IOException {
        start(CONFIGURATION);

        assertThat(new String(
                        raw("GET " + KEY + " HTTP/" + versionAndHeaders + "\r\nConnection: close\r\n\r\n"),
                        StandardCharsets.UTF_8))
                .contains(" 403 Forbidden\r\n");
    }

    private boolean isAccepted(String token) {
        return get("/v1/configuration", "Authorization", "Bearer " + token).statusCode() == 200;
    }

    private String metrics() {
        return get("/metrics").body();
    }

    @Test
    void changedToken_replacesTheFormerOne() throws IOException {
        start(new ServerSettings().adminToken(token("first\n")), CONFIGURATION);
        assertThat(isAccepted("first")).isTrue();
        try (EventReader events = new EventReader(server(), "Authorization: Bearer first")) {
            events.next("frame");

            token(" second \n");
            Await.until(() -> isAccepted("second"));

            assertThat(isAccepted("first")).isFalse();
            assertThatThrownBy(() -> events.next("none")).hasMessage("the stream has ended");
        }
        assertThat(metrics()).contains("\nweir_token_valid 1.0\n");
    }

    @Test
    void tokenThatCannotBeUsed_keepsTheFormerOne() throws IOException {
        Path file = token("first");
        start(new ServerSettings().adminToken(file), CONFIGURATION);
        token(" \n");
        Await.until(() -> metrics().contains("\nweir_token_valid 0.0\n"));
        assertThat(isAccepted("first")).isTrue();
        assertThat(isAccepted("")).isFalse();

        token("first");
        Await.until(() -> metrics().contains("\nweir_token_valid 1.0\n"));

        Files.delete(file);
        Await.until(() -> metrics().contains("\nweir_token_valid 0.0\n"));
        assertThat(isAccepted("first")).isTrue();
        assertThat(get(KEY).statusCode()).isEqualTo(401);
    }

    @Test
    void badToken_isRefused() throws IOException {
        for (String bad : new String[] {"", " \n", "two words", "two\nlines", "é", "x".repeat(4_097)}) {
            Path file = token(bad);
            assertThatIllegalArgumentException().as(bad).isThrownBy(() -> new ServerSettings().adminToken(file));
        }
    }

    @Test
    void badTokenFile_isRefusedAtTheStart() throws IOException {
        Path file = token("two words");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().adminToken(file))
                .withMessage(file + " must contain one line of ASCII without spaces");
        Path none = directory.resolve("none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings().adminToken(none))
                .withMessage(none + " cannot be read: there is no such file");
    }
}
