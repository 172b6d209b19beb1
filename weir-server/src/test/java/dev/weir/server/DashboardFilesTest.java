package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the dashboard; the module weir-browser tests the page. */
final class DashboardFilesTest extends ServerTest {
    private static List<Path> files() throws IOException, URISyntaxException {
        Path page = Path.of(Objects.requireNonNull(WeirServer.class.getResource("dashboard/index.html"))
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

    @ParameterizedTest
    @ValueSource(strings = {"/", "/dashboard/main.js", "/openapi.json"})
    void knownText_isNotSentAgain(String path) throws IOException {
        start("policies: {api: 3/1h}");
        String tag = get(path).headers().firstValue("ETag").orElseThrow();

        assertThat(tag).startsWith("W/\"");
        for (String known : List.of(tag, tag.substring(2), "\"a\", " + tag, "*")) {
            HttpResponse<String> answer = get(path, "If-None-Match", known);
            assertThat(answer.statusCode()).as(known).isEqualTo(304);
            assertThat(answer.headers().firstValue("ETag")).hasValue(tag);
            assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-cache");
            assertThat(answer.body()).isEmpty();
        }
        assertThat(get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @Test
    void head_hasTheHeadersThatGetHas() throws IOException {
        start("policies: {api: 3/1h}");

        HttpResponse<String> whole = get("/dashboard/main.js");
        HttpResponse<String> head = http("HEAD", "/dashboard/main.js", "");

        assertThat(head.body()).isEmpty();
        assertThat(head.headers()).isEqualTo(whole.headers());
        assertThat(head.headers().firstValueAsLong("Content-Length"))
                .hasValue(whole.body().getBytes(StandardCharsets.UTF_8).length);
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

    /** Keys are untrusted text, so nothing on the page may parse markup or run text; styles and code are in files of their own. */
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
