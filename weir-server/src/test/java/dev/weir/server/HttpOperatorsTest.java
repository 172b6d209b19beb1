package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators see and change: keys, metrics, health. */
final class HttpOperatorsTest extends ServerTest {
    private static final String CONFIGURATION = """
            policies:
              api: 3/1h
            domain: edge
            descriptors:
              - key: path
                descriptors:
                  - key: user
                    rate_limit: {unit: day, requests_per_unit: 5}
              - key: shadow
                shadow_mode: true
                rate_limit: {unit: day, requests_per_unit: 1}
            """;
    private static final String DECIDE = "{\"key\":\"a/b\",\"policy\":\"api\"}";
    private static final String KEY = "/v1/keys/a%2Fb?policy=api";

    @Test
    void key_isShownAndReset() throws IOException {
        start(CONFIGURATION);
        decide(DECIDE);
        decide(DECIDE);

        JsonObject shown = json(get(KEY));
        assertThat(shown.getString("rule")).isEqualTo("api");
        assertThat(shown.getString("key")).isEqualTo("a/b");
        assertThat(shown.getJsonObject("next").getInteger("remaining")).isEqualTo(1);
        assertThat(shown.getJsonArray("limits").getJsonObject(0).getJsonArray("runs"))
                .isNotEmpty();
        assertThat(json(get(KEY + "&permits=2")).getJsonObject("next").getBoolean("allowed"))
                .isFalse();

        assertThat(http("DELETE", KEY, "").statusCode()).isEqualTo(204);
        assertThat(json(get(KEY)).getJsonObject("next").getInteger("remaining")).isEqualTo(3);
    }

    /** A problem names the key, and an answer of nginx's subrequest is valid once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                KEY,
                "/v1/keys/a%2Fb/trace.csv?policy=api",
                "/v1/top",
                "/v1/candidates",
                "/v1/configuration",
                "/v1/keys/a",
                "/v1/auth"
            })
    void answers_areNotKeptByCaches(String call) throws IOException {
        start(CONFIGURATION);

        HttpHeaders headers = get(call).headers();
        assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void key_isBlockedAndUnblocked() throws IOException {
        start(CONFIGURATION);

        assertThat(http("PUT", "/v1/keys/a%2Fb/block?policy=api&for=10m", "").statusCode())
                .isEqualTo(204);
        HttpResponse<String> denied = decide(DECIDE);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(json(denied).getBoolean("blocked")).isTrue();
        assertThat(json(get(KEY)).getString("blockedUntil")).isNotEmpty();

        assertThat(http("DELETE", "/v1/keys/a%2Fb/block?policy=api", "").statusCode())
                .isEqualTo(204);
        assertThat(decide(DECIDE).statusCode()).isEqualTo(200);
    }

    @Test
    void descriptor_isExplainedAndBlocked() throws IOException {
        start(CONFIGURATION);
        assertThat(envoy().brief("edge", "path=/,user=ann")).isEqualTo("OK: OK 4");
        String key = "/v1/keys/path=%2F,user=ann";

        JsonObject shown = json(get(key + "?domain=edge"));
        assertThat(shown.getString("rule")).isEqualTo("edge.path.user");
        assertThat(shown.getString("key")).isEqualTo("edge,path=/,user=ann");
        assertThat(shown.getJsonObject("next").getInteger("remaining")).isEqualTo(4);

        assertThat(http("PUT", key + "/block?domain=edge&for=1h", "").statusCode())
                .isEqualTo(204);
        assertThat(envoy().brief("edge", "path=/,user=ann", "path=/,user=bob"))
                .isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 5");
        assertThat(envoy().send("edge", "path=/,user=ann")
                        .getStatuses(0)
                        .getDurationUntilReset()
                        .getSeconds())
                .isBetween(3_500L, 3_600L);
        assertThat(http("DELETE", key + "?domain=edge", "").statusCode()).isEqualTo(204);
        assertThat(envoy().brief("edge", "path=/,user=ann")).isEqualTo("OK: OK 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v1/keys/ 404",
                "GET /v1/keys/a/b?policy=api 404",
                "GET /v1/keys/a 400",
                "GET /v1/keys/a?policy=none 404",
                "GET /v1/keys/a?domain=edge 400",
                "GET /v1/keys/path=x?domain=edge 404",
                "GET /v1/keys/path=x?domain=edge&policy=api 400",
                "PUT /v1/keys/a/block?policy=api 400",
                "PUT /v1/keys/a/block?policy=api&for=long 400",
                "PUT /v1/keys/a/block?policy=api&for=1s%20margin=5s 400",
                "PUT /v1/keys/a/block?policy=api&for=%201s 400",
                "PUT /v1/keys/a?policy=api 405",
                "GET /v1/keys/a/block?policy=api 405",
                "POST /v1/configuration 405"
            })
    void badCall_isExplained(String call) throws IOException {
        start(CONFIGURATION);
        List<String> parts = List.of(call.split(" ", -1));

        HttpResponse<String> refused = http(parts.get(0), parts.get(1), "");

        assertThat(refused.statusCode()).isEqualTo(Integer.parseInt(parts.get(2)));
        assertThat(json(refused).getString("detail")).isNotEmpty();
    }

    /** A store may cut blocks of more than 142 years. */
    @ParameterizedTest
    @ValueSource(strings = {"0s", "36501d", "100000d", "PT900000000H"})
    void block_forNoTimeOrTooLong_isRefusedAndSaysWhy(String duration) throws IOException {
        start(CONFIGURATION);

        HttpResponse<String> refused = http("PUT", "/v1/keys/a/block?policy=api&for=" + duration, "");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).getString("detail"))
                .isEqualTo(
                        "for must be a duration longer than 0 such as 10m, and at most 36500d, was '" + duration + "'");
    }

    @Test
    void longestBlock_isListedUntilItEnds() throws IOException {
        start(CONFIGURATION);

        http("PUT", "/v1/keys/a%2Fb/block?policy=api&for=36500d", "");

        JsonObject listed = json(get("/v1/top?by=blocked")).getJsonArray("keys").getJsonObject(0);
        assertThat(Instant.parse(listed.getString("until")))
                .isCloseTo(Instant.parse(json(get(KEY)).getString("blockedUntil")), within(1, ChronoUnit.MINUTES));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /v1/decide           | POST",
                "POST   | /v1/auth?policy=api  | GET, HEAD",
                "POST   | /v1/keys/a?policy=api | GET, HEAD, DELETE",
                "GET    | /v1/keys/a/block?policy=api&for=1h | PUT, DELETE",
                "DELETE | /metrics             | GET, HEAD"
            })
    void otherMethod_isRefused_andAllowedOnesAreNamed(String method, String path, String allowed) throws IOException {
        start(CONFIGURATION);

        HttpResponse<String> refused = http(method, path, "");

        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).hasValue(allowed);
    }

    @Test
    void metrics_countRulesAndPolicies() throws IOException {
        start(CONFIGURATION);
        for (int i = 0; i < 4; i++) {
            decide(DECIDE);
        }
        for (int i = 0; i < 6; i++) {
            envoy().send("edge", "path=/,user=ann");
        }
        for (int i = 0; i < 3; i++) {
            envoy().send("edge", "shadow=x");
        }

        List<String> metrics = get("/metrics").body().lines().toList();

        assertThat(metrics)
                .contains(
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"edge.path.user\"} 5.0",
                        "weir_rule_decisions_total{outcome=\"denied\",rule=\"edge.path.user\"} 1.0",
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"edge.shadow\"} 1.0",
                        "weir_rule_decisions_total{outcome=\"shadow_denied\",rule=\"edge.shadow\"} 2.0",
                        "weir_configuration_valid 1.0")
                .anyMatch(line -> line.contains("limiter=\"api\"") && line.endsWith(" 3.0"))
                .noneMatch(line -> line.contains("ann") || line.contains("a/b"));
    }

    @Test
    void health_readiness_andDocument_areServed() throws IOException {
        start(CONFIGURATION);

        assertThat(get("/healthz").body()).isEqualTo("ok\n");
        assertThat(get("/readyz").body()).isEqualTo("ready\n");
        assertThat(json(get("/openapi.json")).getJsonObject("paths").fieldNames())
                .contains(
                        "/v1/decide",
                        "/v1/auth",
                        "/v1/keys/{key}",
                        "/v1/keys/{key}/block",
                        "/v1/keys/{key}/trace.csv",
                        "/v1/top",
                        "/v1/events",
                        "/v1/candidates");
        JsonObject configuration = json(get("/v1/configuration"));
        assertThat(configuration.getJsonArray("domains")).containsExactly("edge");
        assertThat(configuration.getJsonArray("policies")).containsExactly("api");
        assertThat(configuration.getJsonArray("problems")).isEmpty();
    }

    @Test
    void redis_isAway_changesAre503AndDecisionsFollowThePolicy() throws IOException {
        int port = RedisServer.freePort();
        start(
                new ServerSettings().redis("redis://127.0.0.1:" + port).storeTimeout(Duration.ofMillis(200)),
                CONFIGURATION);

        HttpResponse<String> local = decide(DECIDE);
        assertThat(local.statusCode()).isEqualTo(200);
        assertThat(json(local).getBoolean("degraded")).isTrue();
        assertThat(http("DELETE", KEY, "").statusCode()).isEqualTo(503);
        assertThat(get(KEY).statusCode()).isEqualTo(503);
        stop();

        start(new ServerSettings().redis("redis://127.0.0.1:" + port).whenStoreFails(null), CONFIGURATION);
        assertThat(decide(DECIDE).statusCode()).isEqualTo(503);
    }

    @Test
    void redis_answers_responsesAreSent() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(Duration.ofSeconds(10)), CONFIGURATION);

            assertThat(json(decide(DECIDE)).getInteger("remaining")).isEqualTo(2);
            assertThat(json(get(KEY)).getJsonObject("next").getInteger("remaining"))
                    .isEqualTo(2);
            assertThat(http("DELETE", KEY, "").statusCode()).isEqualTo(204);
            assertThat(json(decide(DECIDE)).getInteger("remaining")).isEqualTo(2);
        }
    }
}
