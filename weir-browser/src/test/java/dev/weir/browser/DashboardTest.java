package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the dashboard: a real server and real traffic. */
abstract class DashboardTest extends BrowserTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int TURN = 100;
    private static final Pattern ALLOWED = Pattern.compile("HTTP/1.1 200 OK\r\n", Pattern.LITERAL);
    private static final Pattern DENIED = Pattern.compile("HTTP/1.1 429 Too Many Requests\r\n", Pattern.LITERAL);

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

    /** Makes requests for a key, in turns of 100 that share a connection; returns how many were denied. */
    int send(String key, String policy, int requests) {
        byte[] body =
                new JsonObject().put("key", key).put("policy", policy).encode().getBytes(StandardCharsets.UTF_8);
        int denied = 0;
        for (int left = requests; left > 0; left -= TURN) {
            denied += sendTogether(body, Math.min(left, TURN));
        }
        return denied;
    }

    private int sendTogether(byte[] body, int requests) {
        String head = "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length + "\r\n";
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 1; i <= requests; i++) {
            String end = i < requests ? "\r\n" : "Connection: close\r\n\r\n";
            all.writeBytes((head + end).getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(body);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            all.writeTo(socket.getOutputStream());
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            int denied = (int) DENIED.matcher(answers).results().count();
            assertThat(denied + ALLOWED.matcher(answers).results().count()).isEqualTo(requests);
            return denied;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns what the API says of the keys at the top. */
    List<JsonObject> top(String by) {
        JsonArray keys = new JsonObject(call("GET", "/v1/top?by=" + by, "").body()).getJsonArray("keys");
        return keys.stream().map(JsonObject.class::cast).toList();
    }

    /** Opens the sheet of a listed key by a click. */
    void openKey(String key) {
        String button = "[...document.querySelectorAll('.open-key')].find(b => b.textContent === arguments[0])";
        browser.await(button + " !== undefined", key);
        browser.value(button + ".click()", key);
        browser.await("document.querySelector('#sheet-next dd').textContent !== '–'");
    }
}
