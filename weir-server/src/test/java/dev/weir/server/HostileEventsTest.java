package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event streams under misbehaving clients and hostile traffic. */
final class HostileEventsTest extends ServerTest {
    private static final int FLOOD_CALLS = 2_000;
    private static final int WARM_UP_CALLS = 100; // which load classes, and fill what has a bound
    private static final int FLOOD_DESCRIPTORS = 63;
    private static final long FLOOD_DENIALS = (long) FLOOD_CALLS * (FLOOD_DESCRIPTORS + 1);
    private static final long MOST_GROWTH = 16L << 20;

    private static final String NOTHING = """
            policies: {api: 3/1h}
            domain: edge
            descriptors:
              - key: user
                rate_limit: {unit: hour, requests_per_unit: 0}
            """;

    private static long heapAfterCollection() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private int open() {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("weir_event_streams "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    /** Returns how often a limit denied in some frames. */
    private static long denied(List<JsonObject> frames, int limit) {
        return frames.stream()
                .flatMap(frame -> frame.getJsonArray("limits").stream())
                .map(JsonArray.class::cast)
                .filter(row -> row.getInteger(0) == limit)
                .mapToLong(row -> row.getLong(2))
                .sum();
    }

    /** Makes requests for denied keys, which no other request has, and for one that all have. */
    private void flood(int from, int to) {
        for (int i = from; i < to; i++) {
            RateLimitRequest.Builder request = EnvoyClient.request("edge", "user=scanner");
            for (int j = 0; j < FLOOD_DESCRIPTORS; j++) {
                request.addDescriptors(EnvoyClient.descriptor("user=" + i + "-" + j));
            }
            envoy().send(request.build());
        }
    }

    @Test
    void manyDeniedKeys_memoryIsBounded_andTheMostDeniedIsFound() throws IOException {
        start(NOTHING);
        try (EventReader events = new EventReader(server())) {
            int user = events.next("state").getJsonArray("limits").stream()
                    .map(JsonObject.class::cast)
                    .filter(row -> row.getString("rule").equals("edge.user"))
                    .findFirst()
                    .orElseThrow()
                    .getInteger("id");
            flood(0, WARM_UP_CALLS);
            long before = heapAfterCollection();
            flood(WARM_UP_CALLS, FLOOD_CALLS);
            long growth = heapAfterCollection() - before;
            JsonObject scanner = json(get("/v1/top")).getJsonArray("keys").getJsonObject(0);

            assertThat(growth).isLessThan(MOST_GROWTH);
            assertThat(scanner.getString("key")).isEqualTo("user=scanner");
            assertThat(scanner.getValue("asks")).isNull();
            List<JsonObject> frames = events.frames(all -> denied(all, user) >= FLOOD_DENIALS);
            assertThat(denied(frames, user)).isEqualTo(FLOOD_DENIALS);
            assertThat(frames)
                    .allSatisfy(frame -> assertThat(frame.encode().length()).isLessThan(8_192));
        }
    }

    @Test
    void hostileKey_isData() throws IOException {
        start("policies: {once: 1/1h}\n");
        String key = "</script>\u202e\r\n\r\nevent: state\ndata: {}\n\n\u2028";
        String body = new JsonObject().put("key", key).put("policy", "once").encode();
        decide(body);
        decide(body);
        try (EventReader events = new EventReader(server())) {
            events.next("state");
            JsonObject row = events.next("frame").getJsonArray("mostDenied").getJsonObject(0);
            assertThat(row.getString("key")).isEqualTo(key);
            assertThat(events.next().name()).isEqualTo("frame");
        }
    }

    /** One more stream would never end. */
    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void streams_tooMany_areRefused() throws IOException {
        start(NOTHING);
        List<EventReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 32; i++) {
                EventReader reader = new EventReader(server());
                reader.next("state");
                readers.add(reader);
            }
            assertThat(get("/v1/events").statusCode()).isEqualTo(503);
            assertThat(open()).isEqualTo(32);
            readers.remove(0).close();
            Await.until(() -> open() == 31);
            readers.add(new EventReader(server()));
            readers.get(31).next("state");
        } finally {
            for (EventReader reader : readers) {
                reader.close();
            }
        }
        Await.until(() -> open() == 0);
    }

    /** The connection is closed after ten dropped events; before that, system buffers take a few and one is kept. */
    @Test
    void reader_thatDoesNotRead_isCutOff_afterFewEvents() throws IOException {
        StringBuilder rules = new StringBuilder("domain: edge\ndescriptors:\n");
        for (int i = 0; i < 380; i++) {
            rules.append("  - {key: ").append("k".repeat(6_000)).append(i);
            rules.append(", rate_limit: {unit: hour, requests_per_unit: 5}}\n");
        }
        start(rules.toString());
        try (Socket socket = new Socket();
                EventReader attentive = new EventReader(server())) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server().port()));
            socket.getOutputStream()
                    .write("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            attentive.next("state");
            Await.until(() -> open() == 2);

            AtomicInteger frames = new AtomicInteger();
            attentive.next("frame", frame -> {
                frames.incrementAndGet();
                decide("{\"key\":\"k\",\"limits\":[\"1/" + frame.getLong("second")
                        + "s\"]}"); // which changes the state
                return open() == 1;
            });

            assertThat(frames.get()).isBetween(10, 20);
            assertThat(get("/readyz").statusCode()).isEqualTo(200);
            socket.setSoTimeout(10_000);
            assertThat(isCut(socket)).isTrue();
        }
    }

    /** Returns whether a connection ends after what was sent before; fails if it is silent instead. */
    private static boolean isCut(Socket socket) throws IOException {
        byte[] bytes = new byte[8_192];
        try {
            while (socket.getInputStream().read(bytes) >= 0) {
                // what had been sent before
            }
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void stop_endsStreamsAtOnce() throws IOException {
        start(NOTHING);
        try (EventReader events = new EventReader(server())) {
            events.next("state");
            long began = System.nanoTime();

            server().close();

            assertThat(events.isEnded()).isTrue();
            assertThat(System.nanoTime() - began)
                    .isLessThan(TimeUnit.SECONDS.toNanos(9)); // less than requests may take
        }
    }
}
