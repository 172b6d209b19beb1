package dev.weir.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are compressed. */
final class ContentCodingTest extends ServerTest {
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String COMPRESSED = "content-encoding: gzip";
    private static final String VARIES = "vary: accept-encoding";

    @BeforeEach
    void start() throws IOException {
        start(THREE_A_DAY);
    }

    /** Returns the answer, each byte as the character of its number. */
    private String answer(String path, String accepted) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        return new String(raw(request + "Accept-Encoding: " + accepted + END_OF_HEAD), ISO_8859_1);
    }

    private static String head(String answer) {
        return answer.substring(0, answer.indexOf(END_OF_HEAD));
    }

    private static byte[] body(String answer) {
        return answer.substring(answer.indexOf(END_OF_HEAD) + END_OF_HEAD.length())
                .getBytes(ISO_8859_1);
    }

    private static String unzipped(byte[] body) throws IOException {
        try (InputStream text = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return new String(text.readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/dashboard/main.js", "/openapi.json"})
    void file_isCompressed_forAClientThatAcceptsIt(String path) throws IOException {
        String answer = answer(path, "gzip, deflate, br");

        assertThat(head(answer)).contains(COMPRESSED, VARIES, "content-length: " + body(answer).length);
        String text = get(path).body();
        assertThat(unzipped(body(answer))).isEqualTo(text);
        assertThat(body(answer).length).isLessThan(text.length() / 2);
    }

    @Test
    void metrics_areCompressed_forAClientThatAcceptsIt() throws IOException {
        String answer = answer("/metrics", "br, gzip");

        assertThat(head(answer)).contains(COMPRESSED, VARIES, "text/plain; version=0.0.4");
        assertThat(unzipped(body(answer))).contains("\nweir_configuration_valid 1.0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "br", "gzip;q=0", "gzip;q=0.5, br", "*"})
    void otherCodings_areAnsweredAsTheyAre(String accepted) throws IOException {
        assertThat(answer("/metrics", accepted))
                .contains("\nweir_configuration_valid 1.0\n")
                .containsIgnoringCase(VARIES)
                .doesNotContain(COMPRESSED);
        assertThat(answer("/openapi.json", accepted))
                .contains(VARIES)
                .endsWith(get("/openapi.json").body());
    }

    /** A cache would note the coding with the text that it has, whose coding may be another. */
    @Test
    void knownText_isNotSaidToHaveACoding() throws IOException {
        String answer = answer("/openapi.json", "gzip\r\nIf-None-Match: *");

        assertThat(answer)
                .startsWith("HTTP/1.1 304 ")
                .contains(VARIES, "etag: W/")
                .doesNotContain(COMPRESSED);
    }

    /** Compressing them would take longer than sending them. */
    @Test
    void decision_isNotCompressed() throws IOException {
        assertThat(answer("/v1/auth?policy=api&key=a", "gzip"))
                .contains("\"allowed\":true")
                .doesNotContain(COMPRESSED)
                .doesNotContain(VARIES);
    }
}
