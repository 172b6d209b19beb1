package dev.weir.browser;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Clients that make requests at a rate, until it is closed. */
final class Traffic implements AutoCloseable {
    private static final long TICK_MILLIS = 50;
    private static final int MAX_OPEN = 200; // above, requests are left out
    private static final double SWING = 0.15;
    private static final double SWING_SECONDS = 13;

    private final URI decide;
    private final HttpClient http =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();
    private final List<Client> clients = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Semaphore open = new Semaphore(MAX_OPEN);
    private long ticks;

    Traffic(String server) {
        decide = URI.create(server + "/v1/decide");
    }

    /** A client with its mean rate in requests per second. */
    private record Client(String policy, String key, double rate) {}

    Traffic client(String policy, String key, double rate) {
        clients.add(new Client(policy, key, rate));
        return this;
    }

    /** Adds clients whose keys are numbered, which together have a rate. */
    Traffic clients(String policy, String prefix, int number, double rate) {
        for (int i = 1; i <= number; i++) {
            client(policy, prefix + i, rate / number);
        }
        return this;
    }

    void start() {
        Future<?> unused = timer.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        double seconds = ++ticks * TICK_MILLIS / 1000.0;
        double swing = 1 + SWING * Math.sin(seconds / SWING_SECONDS);
        for (Client client : clients) {
            double expected = client.rate * swing * TICK_MILLIS / 1000.0;
            int requests = (int) expected + (random.nextDouble() < expected % 1 ? 1 : 0);
            for (int i = 0; i < requests; i++) {
                send(client);
            }
        }
    }

    private void send(Client client) {
        if (!open.tryAcquire()) {
            return;
        }
        String body = new JsonObject()
                .put("key", client.key)
                .put("policy", client.policy)
                .encode();
        HttpRequest request = HttpRequest.newBuilder(decide)
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofString(body))
                .build();
        CompletableFuture<?> unused =
                http.sendAsync(request, BodyHandlers.discarding()).whenComplete((answer, failure) -> open.release());
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
