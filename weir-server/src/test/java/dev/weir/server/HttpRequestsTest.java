package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms of requests that a server of HTTP/1.1 has to understand. */
final class HttpRequestsTest extends ServerTest {
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
    private static final String BODY = "{\"key\":\"k\",\"limits\":[\"3/1m\"]}";

    @BeforeEach
    void start() throws IOException {
        start(new ServerSettings());
    }

    @Test
    void expectation_isAnsweredBeforeTheBody() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n"
                            + "Content-Length: " + BODY.length() + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readNBytes(CONTINUE.length()), StandardCharsets.US_ASCII))
                    .isEqualTo(CONTINUE);
            out.write(BODY.getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 OK\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080/healthz,             200",
        "HTTP://localhost/healthz?,                 200",
        "http://localhost:8080/v1/auth?limit=3/1m,  200",
        "http://localhost:8080/v1/auth?limt=3/1m,   400",
        "http://localhost:8080/none,                404",
        "http://localhost:8080,                     200", // the dashboard
        "/http://localhost/healthz,                 404",
        "//healthz,                                 404",
        "http://localhost/v1/top,                   200",
        "http://other.example/v1/top,               403", // the header Host does not count
        "healthz,                                   404",
        "*,                                         404",
    })
    void target_isAbsolute_pathIsUsed(String target, int status) throws IOException {
        assertThat(new String(
                        raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                        StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void connect_isRefused() throws IOException {
        assertThat(new String(
                        raw("CONNECT localhost:8080 HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 501 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"J\u00f6rg", "J%C3%B6rg"})
    void key_rawOrEscaped_isTheSame(String key) throws IOException {
        decide("{\"key\":\"J\u00f6rg\",\"limits\":[\"3/1m\"]}");

        assertThat(new String(
                        raw("GET /v1/auth?limit=3/1m&key=" + key
                                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                        StandardCharsets.UTF_8))
                .contains("\"remaining\":1,");
    }

    @Test
    void body_notUtf8_isRefused() throws IOException {
        String request = "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + BODY.length() + "\r\n\r\n" + BODY.replace("\"k\"", "\"\u00f6\"");

        assertThat(new String(raw(request.getBytes(StandardCharsets.ISO_8859_1)), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 400 ")
                .contains("\"detail\":\"the body must be UTF-8\"");
    }

    @Test
    void transferCoding_inCapitals_isRead() throws IOException {
        String body = Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";

        assertThat(new String(
                        raw(
                                "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n"
                                        + body),
                        StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 200 ");
    }

    /** A body that is not understood must not be read as the next request. */
    @ParameterizedTest
    @ValueSource(strings = {"xchunked", "gzip, chunked", "identity"})
    void transferCoding_unknown_isRefusedWithItsBody(String coding) throws IOException {
        String smuggled = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        String answers = new String(
                raw("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: " + coding + "\r\n\r\n"
                        + smuggled),
                StandardCharsets.UTF_8);

        assertThat(answers).containsPattern("^HTTP/1.1 (400|501) ").doesNotContain("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, 0, 400",
        "HTTP/1.1, 1, 200",
        "HTTP/1.1, 2, 400",
        "HTTP/1.0, 0, 200",
        "HTTP/1.0, 2, 400",
        "HTTP/1.2, 1, 200", // as HTTP/1.1
        "HTTP/1.2, 0, 400",
        "HTTP/0.9, 1, 501",
        "HTTP/2.0, 1, 501",
    })
    void versionAndHosts_areChecked(String version, int hosts, int status) throws IOException {
        String request =
                "GET /healthz " + version + "\r\n" + "Host: localhost\r\n".repeat(hosts) + "Connection: close\r\n\r\n";

        assertThat(new String(raw(request), StandardCharsets.US_ASCII)).matches("(?s)HTTP/\\d\\.\\d " + status + " .*");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 200",
        "a_b.example:8080, 200",
        "[::1]:8080, 200",
        "a b, 400",
        "a/b, 400",
        "user@a, 400",
        "a:b, 400",
        "'a,b c', 400",
    })
    void host_isChecked(String host, int status) throws IOException {
        String request = "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";

        assertThat(new String(raw(request), StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 " + status + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "CLOSE", "x, close", "Close ,x", "x\r\nConnection: close"})
    void connection_closeInAList_endsWithTheAnswer(String connection) throws IOException {
        String request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: " + connection + "\r\n\r\n";

        assertThat(new String(raw(request.repeat(2)), StandardCharsets.US_ASCII))
                .containsOnlyOnce("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("connection: close");
    }
}
