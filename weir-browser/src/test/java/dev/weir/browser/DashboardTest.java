package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the dashboard: a real server and real traffic. */
abstract class DashboardTest extends BrowserTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private WeirServer server;
    private final int port = RedisServer.freePort(); // no other process may take it while a server restarts

    @AfterEach
    void stop() {
        browser.open("about:blank"); // ends the stream
        if (server != null) {
            server.close();
            server = null;
        }
    }

    /** Starts a server with a configuration; all servers of a test have the same port. */
    void start(ServerSettings settings, String configuration) throws IOException {
        Path file = Files.writeString(directory.resolve("limits.yaml"), configuration);
        server = WeirServer.start(settings.configuration(file).port(port).grpcPort(0));
    }

    void start(String configuration) throws IOException {
        start(new ServerSettings(), configuration);
    }

    void stopServer() {
        server.close();
        server = null;
    }

    /** Opens the dashboard and waits for its first frame. */
    void open() {
        browser.open(address("/"));
        browser.await("document.getElementById('answer-who').querySelector('.big').textContent !== ''");
    }

    String address(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    HttpResponse<String> call(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address(path)))
                .timeout(Duration.ofSeconds(30))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes requests for a key; returns how many were denied. */
    int send(String key, String policy, int requests) {
        String body = new JsonObject().put("key", key).put("policy", policy).encode();
        int denied = 0;
        for (int i = 0; i < requests; i++) {
            int status = call("POST", "/v1/decide", body).statusCode();
            assertThat(status).isIn(200, 429);
            denied += status == 429 ? 1 : 0;
        }
        return denied;
    }

    /** Returns what the API says of the keys at the top. */
    List<JsonObject> top(String by) {
        JsonArray keys = new JsonObject(call("GET", "/v1/top?by=" + by, "").body()).getJsonArray("keys");
        return keys.stream().map(JsonObject.class::cast).toList();
    }

    /** Opens the sheet of a listed key by a click. */
    void openKey(String key) {
        String button = "[...document.querySelectorAll('.open-key')].find(b => b.textContent === arguments[0])";
        Await.until(key + " is listed", () -> browser.value(button, key) != null);
        browser.value(button + ".click()", key);
        Await.until(
                key + " is open",
                () -> browser.is("document.querySelector('#sheet-next dd').textContent !== '–'"),
                () -> browser.text("#sheet-problem"));
    }
}
