package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators see of one key: why it is limited, its log, and keys that are personal data. */
final class HttpKeysTest extends ServerTest {
    private static final String CONFIGURATION = """
            policies:
              api: [3/1h, 100/1d]
              bucket: token-bucket 5/1h burst=10
            domain: edge
            descriptors:
              - key: path
                value: /login
                descriptors:
                  - key: address
                    rate_limit: {unit: hour, requests_per_unit: 2}
                  - key: address
                    value: 10.*
                    rate_limit: {unit: hour, requests_per_unit: 3}
              - key: path
                value: /api/*
                rate_limit: {unit: hour, requests_per_unit: 0}
            """;

    private static List<String> reasons(JsonObject key) {
        return key.getJsonArray("explain").stream()
                .map(JsonObject.class::cast)
                .map(row -> row.getString("limit") + ": " + row.getString("reason"))
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void key_ofALeakyBucket_hasRoomAndMustWait() throws IOException {
        start("policies: {api: leaky-bucket 3/1h}\n");
        decide("{\"key\":\"a\",\"policy\":\"api\"}");

        assertThat(reasons(json(get("/v1/keys/a?policy=api"))))
                .containsExactly("leaky-bucket 3/1h: 1 of 3 used, the next in 1200s: denies");
    }

    @Test
    void key_isExplained() throws IOException {
        start(CONFIGURATION);
        decide("{\"key\":\"a\",\"policy\":\"api\",\"permits\":2}");

        assertThat(reasons(json(get("/v1/keys/a?policy=api"))))
                .containsExactly("sliding-log 3/1h: 2 of 3 used: allows", "sliding-log 100/1d: 2 of 100 used: allows");
        assertThat(reasons(json(get("/v1/keys/a?policy=api&permits=2"))))
                .containsExactly(
                        "sliding-log 3/1h: 2 of 3 used: denies 2 permits",
                        "sliding-log 100/1d: 2 of 100 used: allows 2 permits");
        http("PUT", "/v1/keys/a/block?policy=api&for=1h", "");
        JsonObject blocked = json(get("/v1/keys/a?policy=api"));
        assertThat(reasons(blocked)).allMatch(reason -> reason.endsWith("blocked by an operator: denies"));
        assertThat(blocked.getJsonArray("explain").getJsonObject(0).getLong("used"))
                .isEqualTo(blocked.getJsonArray("limits").getJsonObject(0).getLong("used"))
                .isEqualTo(2);
    }

    @Test
    void key_storeIsFull_isNotExplainedByItsUse() throws IOException {
        start(new ServerSettings().maxKeys(1), "policies: {big: {limits: 100/1h, candidate: 50/1h}}");
        decide("{\"key\":\"other\",\"policy\":\"big\"}");
        decide("{\"key\":\"a\",\"policy\":\"big\"}");

        JsonObject key = json(get("/v1/keys/a?policy=big"));

        assertThat(reasons(key)).containsExactly("sliding-log 100/1h: the store is full or does not answer: denies");
        assertThat(key.getJsonArray("explain").getJsonObject(0).getLong("used"))
                .isEqualTo(key.getJsonArray("limits").getJsonObject(0).getLong("used"))
                .isZero();
    }

    @Test
    void descriptor_isExplained() throws IOException {
        start(CONFIGURATION);

        JsonObject login = json(get("/v1/keys/path=%2Flogin,address=192.0.2.1?domain=edge"));
        assertThat(login.getString("matched")).isEqualTo("path is /login, address is any");
        JsonObject api = json(get("/v1/keys/path=%2Fapi%2Fx?domain=edge"));
        assertThat(api.getString("matched")).isEqualTo("path matches /api/*");
        assertThat(api.getJsonArray("explain").getJsonObject(0).getBoolean("denies"))
                .isTrue();
        assertThat(api.getJsonArray("explain").getJsonObject(0).getString("reason"))
                .isEqualTo("a limit of 0: denies");
    }

    @Test
    void limitOfZero_isShownAsDenyingEverything() throws IOException {
        start(CONFIGURATION.replace("requests_per_unit: 0}", "requests_per_unit: 0}\n    candidate: 5/1h"));
        envoy().send("edge", "path=/api/x");

        JsonObject key = json(get("/v1/keys/path=%2Fapi%2Fx?domain=edge"));

        assertThat(key.getJsonArray("limits")).isEqualTo(new JsonArray("""
                        [{"limit":"denies everything","remaining":0,"used":0,"of":0,"runs":[],"truncated":false,"timeline":null,
                          "fits":[{"permits":1,"afterMillis":null}],"pending":[]}]"""));
        assertThat(key.getJsonObject("next")).isEqualTo(new JsonObject("""
                        {"allowed":false,"remaining":0,"resetAfterSeconds":0,"statuses":[
                          {"request":0,"limit":"denies everything","remaining":0,"resetAfterSeconds":0}]}"""));
        assertThat(key.getJsonArray("explain").getJsonObject(0)).isEqualTo(new JsonObject("""
                        {"rule":"edge.path_/api/*","limit":"denies everything","mode":"live","used":0,"of":0,"denies":true,
                          "reason":"a limit of 0: denies"}"""));
        assertThat(reasons(key)).last().isEqualTo("sliding-log 5/1h: 1 of 5 used: allows");
        assertThat(reasons(json(get("/v1/keys/path=%2Fapi%2Fx?domain=edge&permits=5"))))
                .last()
                .isEqualTo("sliding-log 5/1h: 1 of 5 used: denies 5 permits");
        assertThat(get("/v1/keys/path=%2Fapi%2Fx?domain=edge&permits=-1").statusCode())
                .isEqualTo(400);
    }

    @Test
    void limitOfZero_blocked_saysSo() throws IOException {
        start(CONFIGURATION);
        http("PUT", "/v1/keys/path=%2Fapi%2Fx/block?domain=edge&for=1h", "");

        JsonObject key = json(get("/v1/keys/path=%2Fapi%2Fx?domain=edge"));

        assertThat(key.getJsonObject("next").getBoolean("blocked")).isTrue();
        assertThat(reasons(key)).containsExactly("denies everything: blocked by an operator: denies");
    }

    private static List<String> notMatched(JsonObject explained) {
        return explained.getJsonArray("notMatched").stream()
                .map(JsonObject.class::cast)
                .map(row -> row.getString("descriptor") + ": " + row.getString("reason"))
                .toList();
    }

    @Test
    void rulesThatDoNotMatch_areExplained() throws IOException {
        start("""
                domain: edge
                descriptors:
                  - key: path
                    rate_limit: {unit: hour, requests_per_unit: 9}
                  - key: path
                    value: /login
                    descriptors:
                      - key: address
                        rate_limit: {unit: hour, requests_per_unit: 2}
                  - key: path
                    value: /api/*
                    rate_limit: {unit: hour, requests_per_unit: 5}
                  - key: path
                    value: /api/v1
                    rate_limit: {unit: hour, requests_per_unit: 4}
                  - key: address
                    rate_limit: {unit: hour, requests_per_unit: 3}
                """);

        JsonObject limited = json(get("/v1/keys/path=%2Fapi%2Fv1?domain=edge"));
        assertThat(limited.getString("matched")).isEqualTo("path is /api/v1");
        assertThat(notMatched(limited))
                .containsExactly(
                        "edge.path_/login: the value of path is not /login",
                        "edge.path_/api/*: another descriptor matches before it",
                        "edge.path: another descriptor matches before it",
                        "edge.address: entry 1 is path, not address");
        assertThat(limited.getInteger("notMatchedMore")).isZero();
        assertThat(notMatched(json(get("/v1/keys/path=%2Flogin?domain=edge"))))
                .startsWith(
                        "edge.path_/login.address: the entries end before address",
                        "edge.path_/login: it has no rate_limit",
                        "edge.path_/api/*: the value of path does not match /api/*");
        HttpResponse<String> deeper = get("/v1/keys/path=%2Fapi%2Fx,user=ann?domain=edge");
        assertThat(deeper.statusCode()).isEqualTo(404);
        assertThat(json(deeper).getString("detail"))
                .isEqualTo("no rule of domain 'edge' limits 'path=/api/x,user=ann'");
        assertThat(json(deeper).getString("matched")).isEqualTo("path matches /api/*");
        assertThat(notMatched(json(deeper))).contains("edge.path_/api/*: the entries go on after it");
        assertThat(notMatched(json(get("/v1/keys/path=%2Flogin,user=ann?domain=edge"))))
                .startsWith("edge.path_/login.address: entry 2 is user, not address");
        assertThat(json(get("/v1/keys/path=x?domain=egde")).getString("detail")).isEqualTo("there is no domain 'egde'");
    }

    @Test
    void manyRulesThatDoNotMatch_theNearestAreExplained() throws IOException {
        StringBuilder many = new StringBuilder("domain: edge\ndescriptors:\n");
        for (int i = 0; i < 100; i++) {
            many.append("  - {key: k").append(i).append(", rate_limit: {unit: day, requests_per_unit: 1}}\n");
            many.append("  - {key: path, value: v").append(i).append("}\n");
        }
        start(many.toString());

        JsonObject explained = json(get("/v1/keys/path=x?domain=edge"));

        assertThat(notMatched(explained))
                .hasSize(20)
                .allMatch(row -> row.startsWith("edge.path_v"))
                .startsWith("edge.path_v0: the value of path is not v0");
        assertThat(explained.getInteger("notMatchedMore")).isEqualTo(180);
    }

    @Test
    void timeline_andFits_areThoseOfTheLog() throws IOException {
        start(CONFIGURATION);
        decide("{\"key\":\"a\",\"policy\":\"api\",\"permits\":2}");
        decide("{\"key\":\"a\",\"policy\":\"bucket\"}");

        JsonObject hour =
                json(get("/v1/keys/a?policy=api")).getJsonArray("limits").getJsonObject(0);
        JsonObject timeline = hour.getJsonObject("timeline");
        JsonArray permits = timeline.getJsonArray("permits");
        assertThat(permits.size()).isEqualTo(150);
        assertThat(timeline.getLong("binMillis")).isEqualTo(24_000);
        assertThat(permits.getLong(149)).isEqualTo(2);
        assertThat(permits.stream().mapToLong(n -> ((Number) n).longValue()).sum())
                .isEqualTo(2);
        assertThat(hour.getLong("used")).isEqualTo(2);
        JsonArray fits = hour.getJsonArray("fits");
        assertThat(fits.getJsonObject(0).getLong("permits")).isEqualTo(1);
        assertThat(fits.getJsonObject(0).getLong("afterMillis")).isZero();
        assertThat(fits.getJsonObject(fits.size() - 1).getLong("permits")).isEqualTo(3);
        assertThat(fits.getJsonObject(fits.size() - 1).getLong("afterMillis")).isBetween(3_500_000L, 3_600_000L);

        JsonObject bucket =
                json(get("/v1/keys/a?policy=bucket")).getJsonArray("limits").getJsonObject(0);
        assertThat(bucket.getValue("timeline")).isNull();
        assertThat(bucket.getLong("of")).isEqualTo(10);
        assertThat(bucket.getLong("used")).isEqualTo(1);
    }

    @Test
    void timeline_hasTheRequestsThatTheLimitDenied() throws IOException {
        start(CONFIGURATION);
        for (int i = 0; i < 9; i++) {
            decide("{\"key\":\"a\",\"policy\":\"api\"}");
        }

        JsonObject hour =
                json(get("/v1/keys/a?policy=api")).getJsonArray("limits").getJsonObject(0);
        JsonArray denied = hour.getJsonObject("timeline").getJsonArray("denied");
        assertThat(denied.size()).isEqualTo(150);
        assertThat(denied.stream().mapToLong(n -> ((Number) n).longValue()).sum())
                .isEqualTo(9 - hour.getLong("used"))
                .isPositive();
        JsonObject other =
                json(get("/v1/keys/b?policy=api")).getJsonArray("limits").getJsonObject(0);
        assertThat(other.getJsonObject("timeline").getJsonArray("denied").stream())
                .containsOnly(0);
    }

    @Test
    void trace_isTheLog() throws IOException {
        start(CONFIGURATION);
        String key = "a,\"b";
        for (int i = 0; i < 5; i++) {
            decide(new JsonObject().put("key", key).put("policy", "api").encode());
        }

        HttpResponse<String> trace = get("/v1/keys/" + encoded(key) + "/trace.csv?policy=api");

        assertThat(trace.headers().firstValue("Content-Type")).hasValue("text/csv; charset=utf-8");
        List<String> lines = trace.body().lines().toList();
        assertThat(lines.get(0)).isEqualTo("time_nanos,key,permits,allowed");
        long permits = 0;
        for (String line : lines.subList(1, lines.size())) {
            assertThat(line).matches("\\d{19},\"a,\"\"b\",\\d+,1");
            String[] fields = line.split(",", -1);
            permits += Long.parseLong(fields[fields.length - 2]);
        }
        assertThat(permits).isEqualTo(3);
        assertThat(http("PUT", "/v1/keys/a/trace.csv?policy=api", "").statusCode())
                .isEqualTo(405);
    }

    @Test
    void trace_ofAttempts_isRefusedAndSaysWhy() throws IOException {
        start("policies: {login: 3/1h count=attempts}");
        for (int i = 0; i < 10; i++) {
            decide("{\"key\":\"a\",\"policy\":\"login\"}");
        }

        HttpResponse<String> trace = get("/v1/keys/a/trace.csv?policy=login");

        assertThat(trace.statusCode()).isEqualTo(409);
        assertThat(json(trace).getString("detail"))
                .isEqualTo(
                        "the log of 'sliding-log 3/1h count=attempts' has attempts, so it does not say what was granted");
    }

    @Test
    void trace_isOfTheLimitWithTheLongestWindow_thatHasALog() throws IOException {
        start("policies: {api: [3/1m, 9/1h, fixed-window 60/1d], none: gcra 60/1h, windows: fixed-window 60/1h}");
        decide("{\"key\":\"a\",\"policy\":\"api\"}");

        assertThat(get("/v1/keys/a/trace.csv?policy=api").body().lines()).hasSize(2);
        HttpResponse<String> none = get("/v1/keys/a/trace.csv?policy=none");
        assertThat(none.statusCode()).isEqualTo(409);
        assertThat(json(none).getString("detail")).isEqualTo("no limit of this key has a log");
        decide("{\"key\":\"a\",\"policy\":\"windows\"}");
        assertThat(get("/v1/keys/a/trace.csv?policy=windows").statusCode()).isEqualTo(409);
        JsonObject windows = json(get("/v1/keys/a?policy=windows"));
        assertThat(windows.getJsonArray("limits").getJsonObject(0).getValue("timeline"))
                .isNull();
    }

    @Test
    void longKey_isListedShort_andFoundByIt() throws IOException {
        start("policies: {once: 1/1h}\n");
        String key = "k".repeat(59) + "\ud83d\ude00" + "x".repeat(900);
        String body = new JsonObject().put("key", key).put("policy", "once").encode();
        decide(body);
        decide(body);

        String listed =
                json(get("/v1/top")).getJsonArray("keys").getJsonObject(0).getString("key");

        assertThat(listed).matches("k{59}…#[0-9a-f]{16}");
        assertThat(json(get("/v1/keys/" + encoded(listed) + "?policy=once")).getString("key"))
                .isEqualTo(key);
    }

    @Test
    void hashedKeys_areShownNowhere_andCanBeActedOn() throws IOException {
        start(new ServerSettings().hashShownKeys(), CONFIGURATION);
        for (int i = 0; i < 5; i++) {
            decide("{\"key\":\"192.0.2.7\",\"policy\":\"api\"}");
            envoy().send("edge", "path=/login,address=192.0.2.7");
        }
        http("PUT", "/v1/keys/192.0.2.8/block?policy=api&for=1h", "");
        StringBuilder seen = new StringBuilder();
        for (String by : List.of("denied", "fullest", "blocked")) {
            seen.append(get("/v1/top?by=" + by).body());
        }
        JsonObject first = json(get("/v1/top")).getJsonArray("keys").getJsonObject(0);
        String path = "/v1/keys/" + encoded(first.getString("key"));
        String query = "?" + first.getString("query");
        seen.append(get(path + query).body())
                .append(get(path + "/trace.csv" + query).body());
        seen.append(get("/v1/keys/192.0.2.7?policy=api").body());
        String descriptor = json(get("/v1/top")).getJsonArray("keys").stream()
                .map(JsonObject.class::cast)
                .filter(row -> row.getString("query").equals("domain=edge"))
                .map(row -> row.getString("key"))
                .findFirst()
                .orElseThrow();
        for (String unknown : List.of("policy=api", "domain=edge")) {
            assertThat(http("PUT", "/v1/keys/%230123456789abcdef/block?for=1h&" + unknown, "")
                            .statusCode())
                    .isEqualTo(404);
        }
        HttpResponse<String> unlimited = get("/v1/keys/" + encoded(descriptor) + "?domain=other");
        assertThat(unlimited.statusCode()).isEqualTo(404);
        seen.append(unlimited.body());
        seen.append(get("/v1/keys/" + encoded(descriptor) + "?domain=edge").body());
        try (EventReader events = new EventReader(server())) {
            seen.append(events.next().data()).append(events.next("frame"));
        }

        assertThat(first.getString("key")).matches("#[0-9a-f]{16}");
        assertThat(json(get("/v1/keys/path=%2Flogin,address=192.0.2.7?domain=edge"))
                        .getString("key"))
                .isEqualTo(descriptor);
        assertThat(seen.toString()).doesNotContain("192.0.2").contains("\"mostDenied\":[{\"key\":\"#");
        assertThat(json(get(path + query)).getJsonObject("next").getBoolean("allowed"))
                .isFalse();
        assertThat(http("DELETE", path + query, "").statusCode()).isEqualTo(204);
        assertThat(json(get(path + query)).getJsonObject("next").getBoolean("allowed"))
                .isTrue();
    }
}
