package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir tail} of a real server, which restarts. */
final class TailRestartTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final AtomicReference<Run> run = new AtomicReference<>();
    private WeirServer server;
    private int port;

    /** Starts a server, on the port of the previous one if there was one. */
    private void start() throws IOException {
        Path file = Files.writeString(directory.resolve("limits.yaml"), "policies: {api: 5/1m}\n");
        server = WeirServer.start(
                new ServerSettings().configuration(file).port(port).grpcPort(0));
        port = server.port();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String address() {
        return "http://127.0.0.1:" + port;
    }

    private void decide(int times) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address() + "/v1/decide"))
                .POST(BodyPublishers.ofString("{\"key\":\"mallory\",\"policy\":\"api\"}"))
                .build();
        for (int i = 0; i < times; i++) {
            CLIENT.send(request, BodyHandlers.discarding());
        }
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void awaitLine(String part) {
        Await.until(part, () -> shown().contains(part), this::shown);
    }

    @Test
    void tail_serverThatRestarts_isConnectedAgain() throws Exception {
        start();
        Thread tail = new Thread(() -> run.set(new Run.Setup().stdout(out).weir("tail", address())));
        tail.start();
        awaitLine("  0 requests");
        decide(8);
        awaitLine("most in the last minute mallory"); // one line or two: they may be of different seconds

        server.close();
        awaitLine("; next try within 1 s\n");
        awaitLine("cannot reach " + address() + "/v1/events: ");
        awaitLine("; next try within 2 s\n");
        int before = shown().length();
        start();
        Await.until(
                "connected again",
                () -> shown().substring(before).contains("Z  0 requests  api sliding-log"),
                () -> shown().substring(before));
        decide(7);
        Await.until(
                "denials after it",
                () -> shown().substring(before).contains("most in the last minute mallory"),
                () -> shown().substring(before));

        tail.interrupt();
        tail.join();
        assertThat(run.get().code()).isZero();
        assertThat(shown()).contains("\n15 requests\n").containsPattern("api sliding-log 5/1m +10 +5 +33.3%");
    }
}
