package dev.weir.server;

import dev.weir.testing.AtomicFile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that send requests to a server over sockets. */
abstract class ServerTest {
    /** The limit of each key, over HTTP and of Envoy. */
    static final String THREE_A_DAY = """
            domain: d
            descriptors:
              - key: k
                rate_limit: {unit: day, requests_per_unit: 3}
            policies: {api: 3/1d}
            """;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path directory;

    private WeirServer server;
    private EnvoyClient client;

    /** Starts the server of this test with a configuration file. */
    final WeirServer start(String configuration) throws IOException {
        return start(new ServerSettings(), configuration);
    }

    final WeirServer start(ServerSettings settings, String configuration) throws IOException {
        return start(settings.configuration(write("limits.yaml", configuration)));
    }

    final WeirServer start(ServerSettings settings) throws IOException {
        server = WeirServer.start(settings.port(0).grpcPort(0));
        client = new EnvoyClient(server.grpcPort());
        return server;
    }

    /** Writes a file of this test, which a server may follow. */
    final Path write(String name, String content) throws IOException {
        return AtomicFile.write(directory.resolve(name), content);
    }

    /** Returns the file of the token of this test, with the given content. */
    final Path token(String content) throws IOException {
        return write("token", content);
    }

    final EnvoyClient envoy() {
        return client;
    }

    /** Sends a request by HTTP, with headers given as alternating names and values. */
    final HttpResponse<String> http(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends bytes to the port of HTTP and returns all that it returns until the server closes the connection. */
    final byte[] raw(String text) throws IOException {
        return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    final byte[] raw(byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request);
            return socket.getInputStream().readAllBytes();
        }
    }

    final HttpResponse<String> get(String path, String... headers) {
        return http("GET", path, "", headers);
    }

    final HttpResponse<String> decide(String body) {
        return http("POST", "/v1/decide", body);
    }

    static JsonObject json(HttpResponse<String> response) {
        return new JsonObject(response.body());
    }

    final WeirServer server() {
        return server;
    }

    @AfterEach
    final void stop() {
        if (server != null) {
            client.close();
            server.close();
        }
    }
}
