package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
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
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir tail} of a real server, which restarts. */
final class TailRestartTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Pattern REQUESTS = Pattern.compile("Z  (\\d+) request");

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final AtomicReference<Run> run = new AtomicReference<>();
    private final int port = RedisServer.freePort(); // of both servers: no other process may take it in between
    private WeirServer server;

    private void start() throws IOException {
        Path file = Files.writeString(directory.resolve("limits.yaml"), "policies: {api: 5/1m}\n");
        server = WeirServer.start(
                new ServerSettings().configuration(file).port(port).grpcPort(0));
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

    /** Waits until the lines after a position have the given number of requests; these may be of different seconds. */
    private void awaitRequests(int number, int from) {
        Await.until(
                number + " requests",
                () -> REQUESTS.matcher(shown().substring(from))
                                .results()
                                .mapToInt(line -> Integer.parseInt(line.group(1)))
                                .sum()
                        == number,
                this::shown);
    }

    @Test
    void tail_serverThatRestarts_isConnectedAgain() throws Exception {
        start();
        Thread tail = new Thread(() -> run.set(new Run.Setup().stdout(out).weir("tail", address())));
        tail.start();
        awaitLine("  0 requests");
        decide(8);
        awaitRequests(8, 0);

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
        awaitRequests(7, before);

        tail.interrupt();
        tail.join();
        assertThat(run.get().code()).isZero();
        assertThat(shown())
                .contains("most in the last minute mallory", "\n15 requests\n")
                .containsPattern("api sliding-log 5/1m +10 +5 +33.3%");
    }
}
