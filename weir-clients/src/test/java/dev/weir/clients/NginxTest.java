package dev.weir.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nginx with the files of docs/nginx.md: {@code auth_request} in front of a page. */
final class NginxTest {
    @TempDir
    private Path directory;

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return get(port, path, "Accept", "*/*");
    }

    private static HttpResponse<String> get(int port, String path, String... headers)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .headers(headers)
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        BodyHandlers.ofString());
    }

    private WeirServer weir() throws IOException {
        Path limits = Files.writeString(
                directory.resolve("limits.yaml"),
                new Page("nginx.md").blocks("yaml").get(0));
        return WeirServer.start(
                new ServerSettings().configuration(limits).port(0).grpcPort(0));
    }

    private Nginx nginx(int port, int weir) throws IOException {
        return new Nginx(directory, server(port, weir), port);
    }

    private String server(int port, int weir) throws IOException {
        Path pages = Files.createDirectories(directory.resolve("pages"));
        Files.writeString(pages.resolve("index.html"), "the page");
        for (Path open : new Path[] {directory, pages}) { // workers have another user
            assertThat(open.toFile().setReadable(true, false) && open.toFile().setExecutable(true, false))
                    .isTrue();
        }
        return new Page("nginx.md")
                .blocks("nginx")
                .get(0)
                .replace("listen 8000;", "listen 127.0.0.1:" + port + ";")
                .replace("127.0.0.1:8080", "127.0.0.1:" + weir)
                .replace("_timeout 1s;", "_timeout 20s;") // a server that loads its classes may need more
                .replace("/var/www/html", pages.toString());
    }

    @Test
    void page_moreOftenThanAllowed_is429() throws Exception {
        int port = RedisServer.freePort();
        try (WeirServer weir = weir();
                Nginx nginx = nginx(port, weir.port())) {
            for (int i = 4; i >= 0; i--) {
                HttpResponse<String> allowed = get(port, "/");
                assertThat(allowed.statusCode()).isEqualTo(200);
                assertThat(allowed.body()).isEqualTo("the page");
                assertThat(allowed.headers().firstValue("RateLimit").orElseThrow())
                        .startsWith("\"page\";r=" + i + ";t=");
            }
            HttpResponse<String> denied = get(port, "/");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(30L, 60L);
            assertThat(denied.body()).doesNotContain("the page");
            assertThat(nginx).isNotNull();
        }
    }

    @Test
    void key_ofAHeader_replacesTheAddress() throws Exception {
        int port = RedisServer.freePort();
        try (WeirServer weir = weir()) {
            Page page = new Page("nginx.md");
            String keyed = "&deny=403&permits=1$limit_key";
            assertThat(page.lines()).anyMatch(line -> line.contains("`" + keyed + "`"));
            String map = page.blocks("nginx").get(1);
            String server = server(port, weir.port()).replace("&deny=403", keyed);
            try (Nginx nginx = new Nginx(directory, map + server, port)) {
                assertThat(limited(port, "X-Api-Key", "a")).isEqualTo("\"page\";r=4");
                assertThat(limited(port, "X-Api-Key", "a")).isEqualTo("\"page\";r=3");
                assertThat(limited(port, "X-Api-Key", "b")).isEqualTo("\"page\";r=4");
                assertThat(limited(port, "X-Other", "a")).isEqualTo("\"page\";r=4");
                assertThat(limited(port, "X-Api-Key", "a&permits=3")).isEqualTo("\"page\";r=3"); // of the address
                assertThat(limited(port, "X-Api-Key", "a#1")).isEqualTo("\"page\";r=2");
                assertThat(limited(port, "X-Api-Key", "Bearer %zz")).isEqualTo("\"page\";r=1");
                assertThat(limited(port, "X-Api-Key", "a".repeat(257))).isEqualTo("\"page\";r=0");
                assertThat(limited(port, "X-Api-Key", "a")).isEqualTo("\"page\";r=2");
                assertThat(nginx).isNotNull();
            }
        }
    }

    private static String limited(int port, String header, String value) throws IOException, InterruptedException {
        HttpResponse<String> response = get(port, "/", header, value);
        return response.headers().firstValue("RateLimit").orElseThrow().replaceFirst(";t=.*", "");
    }

    @Test
    void page_thatNginxForbids_is403() throws Exception {
        int port = RedisServer.freePort();
        try (WeirServer weir = weir();
                Nginx nginx = nginx(port, weir.port())) {
            Path secret = Files.writeString(directory.resolve("pages/secret"), "");
            assertThat(secret.toFile().setReadable(false, false)).isTrue();

            assertThat(get(port, "/secret").statusCode()).isEqualTo(403);
            assertThat(nginx).isNotNull();
        }
    }

    @Test
    void headers_longerThanWeirAccepts_pageIsServed() throws Exception {
        int port = RedisServer.freePort();
        try (WeirServer weir = weir();
                Nginx nginx = nginx(port, weir.port())) {
            String half = "a".repeat(6 * 1024); // nginx accepts lines of 8 KiB
            HttpResponse<String> response = get(port, "/", "Cookie", half, "X-Other", half);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("RateLimit")).isPresent();
            assertThat(nginx).isNotNull();
        }
    }

    @Test
    void server_isAway_pageIsServed() throws Exception {
        int port = RedisServer.freePort();
        try (Nginx nginx = nginx(port, RedisServer.freePort())) {
            assertThat(get(port, "/").statusCode()).isEqualTo(200);
            assertThat(nginx).isNotNull();
        }
    }
}
