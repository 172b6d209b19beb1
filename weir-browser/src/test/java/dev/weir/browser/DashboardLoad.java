package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Measures the page with 10,000 decisions a second on 200 limits: the size of a frame, and the processor time of Chromium for one.
 * Not part of the build, since its name does not end with Test; docs/dashboard.md has the command and the result.
 */
final class DashboardLoad extends DashboardTest {
    private static final int LIMITS = 200;
    private static final int REQUESTS_PER_SECOND = 10_000;
    private static final int BATCH = 100;
    private static final int FRAMES = 30;
    private static final List<String> WORK =
            List.of("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "TaskDuration");

    private volatile boolean done;
    private final AtomicLong answered = new AtomicLong();

    @Test
    void load() throws IOException, InterruptedException {
        start(IntStream.range(0, LIMITS)
                .mapToObj(i -> "  team-%03d: %d/10s\n".formatted(i, i % 10 == 0 ? 5 : 1_000))
                .collect(Collectors.joining("", "policies:\n", "")));
        Thread sender = new Thread(this::send, "load");
        sender.start();
        try {
            open();
            for (String view : List.of("denying", "all")) {
                browser.click("#limits-tabs [data-view=" + view + "]");
                TimeUnit.SECONDS.sleep(5);
                long before = answered.get();
                Map<String, Double> work = work();
                TimeUnit.SECONDS.sleep(FRAMES);
                Map<String, Double> after = work();
                System.out.printf("%s: %d decisions/s%n", view, (answered.get() - before) / FRAMES);
                WORK.forEach(name -> System.out.printf(
                        "  %s %.2f ms per frame%n", name, 1000 * (after.get(name) - work.get(name)) / FRAMES));
                browser.screenshot("load-" + view);
            }
            System.out.printf("largest of %d frames: %d bytes%n", FRAMES, largestFrame());
        } finally {
            done = true;
            sender.join();
        }
        assertNothingLogged();
    }

    private Map<String, Double> work() {
        browser.command("Performance.enable", Map.of());
        List<?> metrics =
                (List<?>) browser.command("Performance.getMetrics", Map.of()).get("metrics");
        return metrics.stream()
                .map(metric -> (Map<?, ?>) metric)
                .collect(Collectors.toMap(
                        metric -> String.valueOf(metric.get("name")),
                        metric -> ((Number) metric.get("value")).doubleValue()));
    }

    private int largestFrame() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address("/v1/events"))).build();
        HttpResponse<InputStream> stream = HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
        int largest = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (int frames = 0; frames < FRAMES; ) {
                String line = lines.readLine();
                if (line.startsWith("data: {\"second\"")) {
                    frames++;
                    largest = Math.max(largest, line.getBytes(StandardCharsets.UTF_8).length);
                }
            }
        }
        assertThat(largest).isPositive();
        return largest;
    }

    /** Sends requests in batches on one connection, without waiting for each answer. */
    private void send() {
        URI server = URI.create(address(""));
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            Thread reader = new Thread(() -> count(socket), "answers");
            reader.start();
            OutputStream out = socket.getOutputStream();
            SplittableRandom random = new SplittableRandom(1);
            long due = System.nanoTime();
            while (!done) {
                out.write(IntStream.range(0, BATCH)
                        .mapToObj(i -> request(random.nextInt(LIMITS), random.nextInt(50)))
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8));
                due += TimeUnit.SECONDS.toNanos(1) * BATCH / REQUESTS_PER_SECOND;
                LockSupport.parkNanos(due - System.nanoTime());
            }
            socket.shutdownOutput();
            reader.join();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String request(int team, int client) {
        String body = "{\"key\":\"203.0.%d.%d\",\"policy\":\"team-%03d\"}".formatted(team, client, team);
        return "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private void count(Socket socket) {
        try (BufferedReader answers =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.contains("HTTP/1.1 ")) {
                    answered.incrementAndGet();
                }
            }
        } catch (IOException closed) {
            assertThat(done).isTrue();
        }
    }
}
