package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the dashboard; the module weir-browser tests the page. */
final class DashboardFilesTest extends ServerTest {
    private static List<Path> files() throws IOException, URISyntaxException {
        Path page = Path.of(Objects.requireNonNull(DashboardFiles.class.getResource("dashboard/index.html"))
                .toURI());
        try (Stream<Path> files = Files.list(page.getParent())) {
            return files.toList();
        }
    }

    @Test
    void everyFile_isServedWithItsTypeAndPolicy() throws IOException, URISyntaxException {
        start(new ServerSettings().adminToken(token("secret")), "policies: {api: 3/1h}");
        for (Path file : files()) {
            String name = file.getFileName().toString();

            HttpResponse<String> response = get(name.equals("index.html") ? "/" : "/dashboard/" + name);

            assertThat(response.statusCode()).as(name).isEqualTo(200);
            assertThat(response.body()).isEqualTo(Files.readString(file));
            assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                    .matches("(text/html|text/css|text/javascript|image/svg\\+xml); charset=utf-8");
            assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .startsWith("default-src 'none'; script-src 'self';")
                    .doesNotContain("unsafe");
            assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
    }

    @Test
    void knownFile_isNotSentAgain() throws IOException {
        start("policies: {api: 3/1h}");
        String tag = get("/").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> known = get("/", "If-None-Match", tag);
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
        assertThat(get("/", "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @Test
    void everyText_isCompressedForClientsThatAcceptIt() throws IOException, URISyntaxException {
        start("policies: {api: 3/1h}");
        List<String> paths = new ArrayList<>(List.of("/", "/openapi.json"));
        files().forEach(file -> paths.add("/dashboard/" + file.getFileName()));
        paths.remove("/dashboard/index.html");
        long whole = 0;
        long sent = 0;
        for (String path : paths) {
            HttpResponse<String> plain = get(path);
            Raw compressed = raw("GET", path, "Accept-Encoding: br, gzip;q=0.5");

            assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(plain.headers().firstValue("Vary")).hasValue("accept-encoding");
            assertThat(compressed.head()).contains("\r\ncontent-encoding: gzip\r\n", "\r\nvary: accept-encoding\r\n");
            assertThat(new String(unzipped(compressed.body().getBytes()), StandardCharsets.UTF_8))
                    .isEqualTo(plain.body());
            assertThat(compressed.tag())
                    .isNotEqualTo(plain.headers().firstValue("ETag").orElseThrow());
            whole += plain.body().getBytes(StandardCharsets.UTF_8).length;
            sent += compressed.body().length();
        }
        assertThat(sent).isLessThan(whole / 2);
    }

    @Test
    void head_hasTheHeadersOfTheEncodingThatGetHas() throws IOException {
        start("policies: {api: 3/1h}");
        for (String accepted : List.of("Accept-Encoding: gzip", "Accept: */*")) {
            Raw whole = raw("GET", "/dashboard/main.js", accepted);
            Raw head = raw("HEAD", "/dashboard/main.js", accepted);

            assertThat(head.body().length()).isZero();
            assertThat(head.head().lines())
                    .containsExactlyInAnyOrderElementsOf(whole.head().lines().toList());
            assertThat(head.head())
                    .contains("\r\ncontent-length: " + whole.body().length() + "\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept-Encoding: gzip                        | true",
                "Accept-Encoding: GZIP;q=1.0                  | true",
                "Accept-Encoding: deflate,gzip ; q=0.001      | true",
                "Accept-Encoding: *                           | true",
                "Accept-Encoding: gzip\\r\\nAccept-Encoding: br | true",
                "Accept-Encoding: gzip;q=0                    | false",
                "Accept-Encoding: *, gzip;q=0.0               | false",
                "Accept-Encoding: *;q=0                       | false",
                "Accept-Encoding: gzip;level=9                | false",
                "Accept-Encoding: identity, xgzip             | false",
                "Accept-Encoding: ,;,                         | false",
                "Accept-Encoding:                             | false"
            })
    void encoding_isThatWhichTheClientAccepts(String header, boolean compressed) throws IOException {
        start("policies: {api: 3/1h}");

        assertThat(raw("GET", "/", header.replace("\\r\\n", "\r\n")).head().contains("content-encoding: gzip"))
                .isEqualTo(compressed);
    }

    @Test
    void knownFile_isThatOfTheSameEncoding() throws IOException {
        start("policies: {api: 3/1h}");
        String plain = raw("GET", "/", "Accept: */*").tag();
        String compressed = raw("GET", "/", "Accept-Encoding: gzip").tag();

        for (String known : List.of(compressed, "W/" + compressed, "\"a\", " + compressed, "*")) {
            Raw answer = raw("GET", "/", "Accept-Encoding: gzip\r\nIf-None-Match: " + known);
            assertThat(answer.head()).as(known).startsWith("HTTP/1.1 304 ").contains("\r\netag: " + compressed);
            assertThat(answer.head()).contains("\r\nvary: ").doesNotContain("content-encoding");
            assertThat(answer.body().length()).isZero();
        }
        assertThat(raw("GET", "/", "Accept-Encoding: gzip\r\nIf-None-Match: " + plain)
                        .head())
                .startsWith("HTTP/1.1 200 ");
    }

    /** A response as it was sent: with the names of headers in lower case. */
    private record Raw(String head, Buffer body) {
        String tag() {
            return head.lines()
                    .filter(line -> line.startsWith("etag: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("etag: ".length());
        }
    }

    private Raw raw(String method, String path, String headers) throws IOException {
        byte[] all = raw(
                method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\nConnection: close\r\n\r\n");
        String text = new String(all, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n") + 4;
        String head = Pattern.compile("(?m)^[A-Za-z-]+:")
                .matcher(text.substring(0, end))
                .replaceAll(name -> name.group().toLowerCase(Locale.ROOT));
        return new Raw(head, Buffer.buffer(Arrays.copyOfRange(all, end, all.length)));
    }

    private static byte[] unzipped(byte[] bytes) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /dashboard 404",
                "GET /dashboard/ 404",
                "GET /dashboard/none.js 404",
                "GET /dashboard/../example.yaml 404",
                "GET /index.html 404",
                "POST / 405",
                "DELETE /dashboard/main.js 405"
            })
    void otherCalls_areRefused(String call) throws IOException {
        start("policies: {api: 3/1h}");
        List<String> parts = List.of(call.split(" ", -1));

        assertThat(http(parts.get(0), parts.get(1), "").statusCode()).isEqualTo(Integer.parseInt(parts.get(2)));
    }

    /** Keys are text of others, so nothing on the page may parse markup or run text; styles and code are in files of their own. */
    @ParameterizedTest
    @MethodSource("files")
    void noFile_parsesMarkupOrRunsText(Path file) throws IOException {
        String text = Files.readString(file);

        assertThat(text)
                .doesNotContain(
                        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
                .doesNotContain("localStorage", "sessionStorage", "document.cookie", "//cdn", "style=\"")
                .doesNotContainPattern("<script(?! type=\"module\" src=\"/dashboard/)")
                .doesNotContainPattern("\\son[a-z]+=\"");
        assertThat(text.lines()).hasSizeLessThanOrEqualTo(400);
    }
}
