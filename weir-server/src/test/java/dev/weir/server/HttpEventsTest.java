package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The stream of events, and the figures in it. */
final class HttpEventsTest extends ServerTest {
    private static final String CONFIGURATION = """
            policies:
              api: [3/1h, 100/1d]
            domain: edge
            descriptors:
              - key: user
                rate_limit: {unit: hour, requests_per_unit: 2}
              - key: tried
                shadow_mode: true
                rate_limit: {unit: hour, requests_per_unit: 1}
            """;

    private static void decideTimes(ServerTest test, int times, String key) {
        for (int i = 0; i < times; i++) {
            test.decide("{\"key\":\"" + key + "\",\"policy\":\"api\"}");
        }
    }

    private static int id(JsonObject state, String rule, String limit) {
        for (Object row : state.getJsonArray("limits")) {
            JsonObject found = (JsonObject) row;
            if (found.getString("rule").equals(rule) && found.getString("limit").equals(limit)) {
                return found.getInteger("id");
            }
        }
        throw new AssertionError(rule + " " + limit + " is not in " + state);
    }

    private static JsonArray row(JsonObject frame, int id) {
        for (Object row : frame.getJsonArray("limits")) {
            if (((JsonArray) row).getInteger(0) == id) {
                return (JsonArray) row;
            }
        }
        return new JsonArray().add(id).add(0).add(0).add(0);
    }

    /** Returns the sums of allowed and denied requests of some frames, and the keys denied in the last: of a limit, or of all. */
    private static List<Long> sums(List<JsonObject> frames, int id) {
        long allowed = 0;
        long denied = 0;
        long keys = 0;
        for (JsonObject frame : frames) {
            JsonArray row = row(frame, id);
            allowed += row.getLong(1);
            denied += row.getLong(2);
            keys = Math.max(keys, row.getLong(3));
        }
        return List.of(allowed, denied, keys);
    }

    @Test
    void frames_equalTheTrafficSent() throws IOException {
        start(CONFIGURATION);
        try (EventReader events = new EventReader(server())) {
            assertThat(events.head().toLowerCase(Locale.ROOT))
                    .startsWith("http/1.1 200 ok")
                    .contains("content-type: text/event-stream", "cache-control: no-store");
            JsonObject state = events.next("state");

            decideTimes(this, 5, "ann");
            decideTimes(this, 4, "bob");
            decideTimes(this, 1, "cyd");
            for (int i = 0; i < 5; i++) {
                envoy().send("edge", "user=ann");
                envoy().send("edge", "tried=x");
            }
            List<JsonObject> frames = events.frames(all -> requests(all) >= 20
                    && counted(all) >= 27); // a frame may have a request and not yet what its limits decided

            assertThat(requests(frames)).isEqualTo(20);
            assertThat(frames.stream()
                            .mapToLong(frame -> frame.getLong("denied"))
                            .sum())
                    .isEqualTo(3 + 3);
            assertThat(sums(frames, id(state, "api", "sliding-log 3/1h"))).containsExactly(7L, 3L, 2L);
            assertThat(sums(frames, id(state, "api", "sliding-log 100/1d"))).containsExactly(7L, 0L, 0L);
            assertThat(sums(frames, id(state, "edge.user", "sliding-log 2/1h"))).containsExactly(2L, 3L, 1L);
            assertThat(sums(frames, id(state, "edge.tried", "sliding-log 1/1h")))
                    .containsExactly(1L, 4L, 1L);
            JsonObject last = frames.get(frames.size() - 1);
            assertThat(last.getLong("limitedKeys")).as("not by the shadow rule").isEqualTo(3);
            assertThat(last.getLong("activeKeys")).isEqualTo(5);
            assertThat(last.getLong("dropped")).isZero();
            assertThat(frames.stream().map(frame -> frame.getLong("second"))).doesNotHaveDuplicates();
        }
    }

    private static long requests(List<JsonObject> frames) {
        return frames.stream()
                .mapToLong(frame -> frame.getLong("allowed") + frame.getLong("denied"))
                .sum();
    }

    /** Returns how often limits allowed or denied in some frames. */
    private static long counted(List<JsonObject> frames) {
        return frames.stream()
                .flatMap(frame -> frame.getJsonArray("limits").stream())
                .mapToLong(row -> ((JsonArray) row).getLong(1) + ((JsonArray) row).getLong(2))
                .sum();
    }

    @Test
    void quotaRule_isUsedUpButAnotherAllows_isNoDenial() throws IOException {
        start("""
                domain: edge
                descriptors:
                  - {key: once, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 1}}
                  - {key: thrice, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 3}}
                """);
        try (EventReader events = new EventReader(server())) {
            JsonObject state = events.next("state");
            for (int i = 0; i < 5; i++) {
                envoy().send("edge", "once=x", "thrice=x");
            }
            List<JsonObject> frames = events.frames(all -> counted(all) >= 10);

            assertThat(sums(frames, id(state, "edge.once", "sliding-log 1/1h"))).containsExactly(3L, 2L, 1L);
            assertThat(sums(frames, id(state, "edge.thrice", "sliding-log 3/1h")))
                    .containsExactly(3L, 2L, 1L);
        }
    }

    private static JsonArray problems(JsonObject state) {
        return state.getJsonObject("configuration").getJsonArray("problems");
    }

    @Test
    void state_hasTheConfigurationAndTheHistory() throws IOException {
        start(CONFIGURATION);
        decideTimes(this, 4, "ann");
        try (EventReader events = new EventReader(server())) {
            JsonObject first = events.next("state");
            assertThat(first.getJsonObject("store").getString("kind")).isEqualTo("memory");
            assertThat(first.getJsonObject("configuration")
                            .getJsonArray("files")
                            .getJsonObject(0)
                            .getString("sha256"))
                    .matches("[0-9a-f]{12}");
            assertThat(first.getJsonArray("limits")).hasSize(5); // with "others"
            events.next("frame");

            write("limits.yaml", CONFIGURATION.replace("3/1h", "4/1h"));
            JsonObject changed = events.next("state");

            id(changed, "api", "sliding-log 4/1h");
            assertThat(changed.getJsonArray("limits")).hasSize(5);
            write("limits.yaml", "policies: {api: 3/x}");
            changed =
                    events.next("state", later -> !problems(later).isEmpty()); // not a second one of the change before
            assertThat(problems(changed)).hasSize(1);
            write("limits.yaml", "policies: {api: 4/x}"); // which no change of rows accompanies
            changed = events.next("state", later -> problems(later).toString().contains("4/x"));
            assertThat(problems(changed)).hasSize(1);
        }
        try (EventReader events = new EventReader(server())) {
            JsonObject history = events.next("state").getJsonObject("history");
            assertThat(history.getJsonArray("allowed")).hasSize(300);
            assertThat(sum(history.getJsonArray("allowed"))).isEqualTo(3);
            assertThat(history.getJsonArray("denied")).hasSize(300);
            assertThat(sum(history.getJsonArray("denied"))).isEqualTo(1);
            assertThat(history.getJsonArray("latencyMicros")).hasSize(300).containsOnlyNulls();
        }
    }

    private static long sum(JsonArray numbers) {
        return numbers.stream().mapToLong(n -> ((Number) n).longValue()).sum();
    }

    @Test
    void ownLimits_haveRows() throws IOException {
        start(CONFIGURATION);
        try (EventReader events = new EventReader(server())) {
            events.next("state");
            for (int i = 1; i <= 520; i += 52) {
                decide(IntStream.range(i, i + 52)
                        .mapToObj("{\"key\":\"k%1$s\",\"limits\":[\"%1$s/1h\"]}"::formatted)
                        .collect(Collectors.joining(",", "[", "]")));
            }

            JsonObject state =
                    events.next("state", later -> later.getJsonArray("limits").size() > 500);

            assertThat(state.getJsonArray("limits")).hasSize(501);
            id(state, "default", "sliding-log 1/1h");
            int others = id(state, "others", "");
            events.frame(
                    () -> decide("{\"key\":\"k\",\"limits\":[\"1000/1h\"]}"),
                    frame -> row(frame, others).getLong(1) > 0);
        }
    }

    @Test
    void top_listsKeysThatAreDenied() throws IOException {
        start(CONFIGURATION);
        String hostile = "<script>\u202e\u0007";
        decideTimes(this, 3, "never denied");
        decideTimes(this, 13, "ann");
        for (int i = 0; i < 5; i++) {
            decide(new JsonObject().put("key", hostile).put("policy", "api").encode());
        }
        for (int i = 0; i < 3; i++) {
            envoy().send("edge", "user=a\\,b");
        }

        HttpResponse<String> answer = get("/v1/top?by=denied");

        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        JsonArray keys = json(answer).getJsonArray("keys");
        assertThat(keys).hasSize(3);
        JsonObject ann = keys.getJsonObject(0);
        assertThat(ann.getString("key")).isEqualTo("ann");
        assertThat(ann.getString("query")).isEqualTo("policy=api");
        assertThat(ann.getString("limit")).isEqualTo("sliding-log 3/1h");
        assertThat(ann.getLong("deniedPerMinute")).isEqualTo(10);
        assertThat(ann.getDouble("asks")).isEqualTo(4.3);
        assertThat(ann.getLong("nextPermitMillis")).isBetween(3_500_000L, 3_600_000L);
        assertThat(ann.getLong("error")).isZero();
        assertThat(keys.getJsonObject(1).getString("key")).isEqualTo(hostile);
        assertThat(keys.getJsonObject(2).getString("key")).isEqualTo("user=a\\,b");
        assertThat(keys.getJsonObject(2).getString("query")).isEqualTo("domain=edge");
        assertThat(json(get("/v1/keys/user=a%5C,b?domain=edge"))
                        .getJsonObject("next")
                        .getBoolean("allowed"))
                .isFalse();
        assertThat(get("/v1/top?by=x").statusCode()).isEqualTo(400);
    }

    @Test
    void top_listsKeysThatAreNearlyLimited() throws IOException {
        start("policies: {ten: 10/1h}\n");
        decide("{\"key\":\"half\",\"policy\":\"ten\",\"permits\":5}");
        decide("{\"key\":\"most\",\"policy\":\"ten\",\"permits\":9}");
        decide("{\"key\":\"all\",\"policy\":\"ten\",\"permits\":10}");

        JsonArray keys = json(get("/v1/top?by=fullest")).getJsonArray("keys");

        assertThat(keys.stream().map(key -> ((JsonObject) key).getString("key")))
                .containsExactly("all", "most");
        assertThat(keys.getJsonObject(1).getLong("used")).isEqualTo(9);
        assertThat(keys.getJsonObject(1).getLong("of")).isEqualTo(10);
        http("DELETE", "/v1/keys/most?policy=ten", "");
        Await.until(() -> json(get("/v1/top?by=fullest")).getJsonArray("keys").size() == 1);
    }

    @Test
    void top_listsKeysThatWereBlocked() throws IOException {
        start(CONFIGURATION);
        http("PUT", "/v1/keys/ann/block?policy=api&for=10m", "");
        http("PUT", "/v1/keys/user=bob/block?domain=edge&for=1h", "");
        http("PUT", "/v1/keys/cyd/block?policy=api&for=1ms", "");

        JsonArray keys = json(get("/v1/top?by=blocked")).getJsonArray("keys");

        assertThat(keys.stream().map(key -> ((JsonObject) key).getString("key")))
                .contains("user=bob", "ann");
        assertThat(decide("{\"key\":\"ann\",\"policy\":\"api\"}").statusCode()).isEqualTo(429);
        assertThat(json(get("/v1/top")).getJsonArray("keys")).isEmpty();
        http("DELETE", "/v1/keys/ann/block?policy=api", "");
        Await.until(() -> json(get("/v1/top?by=blocked")).getJsonArray("keys").size() == 1);
    }

    @Test
    void store_isShown_whileItAnswersAndWhileItIsAway() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(Duration.ofSeconds(10)), CONFIGURATION);
            try (EventReader events = new EventReader(server())) {
                JsonObject store = events.next("state").getJsonObject("store");
                assertThat(store.getString("kind")).isEqualTo("redis");
                assertThat(store.getLong("deadlineMillis")).isEqualTo(10_000);
                JsonObject answers = events.frame(
                        () -> decideTimes(this, 1, "ann"),
                        frame -> frame.getJsonObject("store").getValue("p99Micros") != null);
                assertThat(answers.getJsonObject("store").getLong("p99Micros")).isPositive();
                assertThat(answers.getJsonObject("store").getLong("localDecisions"))
                        .isZero();
                assertThat(answers.getValue("activeKeys")).isNull();

                redis.kill();
                List<String> awaited = new ArrayList<>(List.of("timeouts", "localDecisions")); // maybe of two seconds
                events.frame(() -> decideTimes(this, 1, "b"), frame -> {
                    awaited.removeIf(figure -> frame.getJsonObject("store").getLong(figure) > 0);
                    return awaited.isEmpty();
                });
                events.next("frame", frame -> frame.getJsonObject("store").getLong("outageSeconds") > 0);
            }
        }
    }

    @Test
    void events_areForOperators() throws IOException {
        start(new ServerSettings().adminToken(token("secret")), CONFIGURATION);
        for (String path : List.of("/v1/events", "/v1/top", "/v1/candidates")) {
            assertThat(get(path).statusCode()).isEqualTo(401);
        }
        assertThat(http("POST", "/v1/events", "", "Authorization", "Bearer secret")
                        .statusCode())
                .isEqualTo(405);
        assertThat(http("HEAD", "/v1/events", "", "Authorization", "Bearer secret")
                        .statusCode())
                .isEqualTo(200);
    }
}
