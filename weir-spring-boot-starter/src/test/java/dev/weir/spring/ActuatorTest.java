package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimiter;
import dev.weir.spring.client.RateLimitRequestInterceptor;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** The endpoint ratelimits over HTTP. */
class ActuatorTest {
    private static final String ENDPOINT = "/actuator/ratelimits";
    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.start("""
                management:
                  endpoints.web.exposure.include: health,ratelimits,metrics
                  endpoint.health.show-components: always
                  endpoint.health.show-details: always
                  health.redis.enabled: false
                weir:
                  plans: {premium: [ann]}
                  limits:
                    described:
                      limit: [10/1s, token-bucket 100/1m burst=200]
                      path: /described/**
                      method: [PUT, POST]
                      when: user != null
                      key: header:X-Api-Key
                      max-wait: 2s
                      shadow: true
                      on-failure: local(0.25)
                      plans: {premium: 100/1s}
                    code: {limit: 5/1m}
                    changed: {limit: 1/1h, path: /changed/**, key: global}
                    planned: {limit: 1/1h, path: /planned/**, key: user, plans: {premium: 1/1h}}
                    blocked: {limit: 100/1h, path: /blocked/**, key: global}
                    reset: {limit: 1/1h, path: /reset/**, key: global}
                    metered: {limit: 1/1h, path: /metered, key: global}
                    provider: {limit: 1/1h}
                    observed: {limit: 1/1h, path: /observed, key: global}
                    seen: {limit: 100/1h, path: /seen/**, key: "header:X-Api-Key"}
                """, Payments.class);
    }

    @RestController
    static class Payments {
        private final RestClient client;

        Payments(RestClient.Builder builder, RateLimiters limiters) {
            RateLimiter provider = limiters.get("provider");
            provider.block("provider.invalid", Duration.ofHours(1));
            client = builder.requestInterceptor(new RateLimitRequestInterceptor(
                            OutboundLimiter.builder(provider).build()))
                    .build();
        }

        @GetMapping("/pay")
        String pay() {
            return String.valueOf(
                    client.get().uri("http://provider.invalid/pay").retrieve().body(String.class));
        }
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpResponse<String> post(String path, String json) throws Exception {
        return application.send(application
                .request(ENDPOINT + path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    @Test
    void limiters_areListedWithTheirRules() throws Exception {
        assertThat(application.get(ENDPOINT).body())
                .contains("\"described\":{", "\"code\":{", "\"changed\":{", "\"planned\":{");
        assertThat(application.get(ENDPOINT + "/described").body())
                .isEqualTo("{\"limits\":[\"sliding-log 10/1s\",\"token-bucket 100/1m burst=200\"],"
                        + "\"plans\":{\"premium\":[\"sliding-log 100/1s\"]},"
                        + "\"onFailure\":\"local(0.25)\",\"shadow\":true,"
                        + "\"rule\":{\"paths\":[\"/described/**\"],\"methods\":[\"POST\",\"PUT\"],"
                        + "\"when\":\"user != null\",\"key\":\"header:X-Api-Key\",\"maxWait\":\"PT2S\"}}");
        assertThat(application.get(ENDPOINT + "/code").body())
                .isEqualTo("{\"limits\":[\"sliding-log 5/1m\"],\"plans\":{},\"onFailure\":\"local(1.0)\","
                        + "\"shadow\":false,\"rule\":null}");
    }

    @Test
    void limits_changedOverHttp_holdAtOnce() throws Exception {
        assertThat(application.status("/changed")).isEqualTo(200);
        assertThat(application.status("/changed")).isEqualTo(429);

        assertThat(post("/changed", "{\"limit\":\"10/1s, 3/1h\"}").statusCode()).isEqualTo(204);

        assertThat(application.status("/changed")).isEqualTo(200);
        assertThat(application.get(ENDPOINT + "/changed").body())
                .contains("\"limits\":[\"sliding-log 10/1s\",\"sliding-log 3/1h\"]");
    }

    @Test
    void limits_ofPlanChangedOverHttp_holdAtOnce() throws Exception {
        assertThat(application.status(application.as("ann", "/planned"))).isEqualTo(200);
        assertThat(application.status(application.as("ann", "/planned"))).isEqualTo(429);
        assertThat(application.status(application.as("bob", "/planned"))).isEqualTo(200);

        assertThat(post("/planned", "{\"limit\":\"2/1h\",\"plan\":\"premium\"}").statusCode())
                .isEqualTo(204);

        assertThat(application.status(application.as("ann", "/planned"))).isEqualTo(200);
        assertThat(application.status(application.as("bob", "/planned"))).isEqualTo(429);
    }

    @Test
    void limits_notValid_areAnsweredWithTheReason() throws Exception {
        assertThat(post("/changed", "{\"limit\":\"0/1h\"}"))
                .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(400))
                .satisfies(answer -> assertThat(answer.body()).contains("permits must be at least 1, was 0"));
        assertThat(post("/changed", "{\"limit\":\"2/1h\",\"plan\":\"premium\"}").statusCode())
                .isEqualTo(400);
        assertThat(post("/planned", "{\"limit\":\"2/1h\",\"plan\":\"gold\"}").statusCode())
                .isEqualTo(400);
        assertThat(post("/none", "{\"limit\":\"2/1h\"}").statusCode()).isEqualTo(404);
        assertThat(application.get(ENDPOINT + "/none").statusCode()).isEqualTo(404);
    }

    @Test
    void key_blockedAndUnblocked() throws Exception {
        assertThat(application.status("/blocked")).isEqualTo(200);

        assertThat(post("/blocked/block", "{\"key\":\"global\",\"duration\":\"10m\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(application.status("/blocked")).isEqualTo(429);
        assertThat(application.get(ENDPOINT + "/blocked?key=global").body()).contains("\"blockedUntil\":\"");

        assertThat(post("/blocked/unblock", "{\"key\":\"global\"}").statusCode())
                .isEqualTo(204);
        assertThat(application.status("/blocked")).isEqualTo(200);
    }

    @Test
    void key_reset_startsAgain() throws Exception {
        assertThat(application.status("/reset")).isEqualTo(200);
        assertThat(application.status("/reset")).isEqualTo(429);

        assertThat(post("/reset/reset", "{\"key\":\"global\"}").statusCode()).isEqualTo(204);

        assertThat(application.status("/reset")).isEqualTo(200);
    }

    @Test
    void key_operationNotValid_isAnsweredWithTheReason() throws Exception {
        assertInvalid("/blocked/block", "{\"key\":\"global\"}", "duration must be given, such as 10m");
        assertInvalid("/blocked/block", "{\"key\":\"global\",\"duration\":\"ten\"}", "such as 10m, was 'ten'");
        assertInvalid("/blocked/block", "{\"key\":\"global\",\"duration\":600}", "such as 10m, was '600'");
        assertInvalid("/blocked/block", "{\"key\":\"global\",\"duration\":\"-1m\"}", "duration");
        assertInvalid("/blocked/block", "{\"key\":\"\",\"duration\":\"1m\"}", "key");
        assertInvalid("/blocked/forget", "{\"key\":\"global\"}", "must be block, unblock or reset, was 'forget'");
        assertInvalid("/blocked/reset", "{}", "key must be given");
        assertInvalid("/changed", "{}", "limit must be given, such as 100/1m");
    }

    private static void assertInvalid(String path, String body, String reason) throws Exception {
        HttpResponse<String> answer = post(path, body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(reason);
    }

    @Test
    void key_state_isShownOnlyToWhoKnowsTheKey() throws Exception {
        String key = "2001:db8:0:0:0:0:0:0/64";
        assertThat(application.status(application.request("/seen").header("X-Api-Key", key)))
                .isEqualTo(200);

        assertThat(application.get(ENDPOINT + "/seen?key=" + key).body())
                .contains(
                        "\"limit\":\"sliding-log 100/1h\"",
                        "\"remaining\":99",
                        "\"runs\":[{\"at\":\"",
                        "\"permits\":1}]");
        assertThat(application.get(ENDPOINT).body()).doesNotContain(key);
        assertThat(application.get(ENDPOINT + "/seen").body()).doesNotContain(key);
    }

    @Test
    void meters_withoutConfiguration_areThere() throws Exception {
        assertThat(application.status("/metered")).isEqualTo(200);
        assertThat(application.status("/metered")).isEqualTo(429);

        assertThat(application
                        .get("/actuator/metrics/weir.decisions?tag=limiter:metered&tag=outcome:denied")
                        .body())
                .contains("\"value\":1.0");
        assertThat(application
                        .get("/actuator/metrics/weir.store.up?tag=store:memory")
                        .body())
                .contains("\"value\":1.0");
        assertThat(application.get("/actuator/metrics/weir.store.keys").statusCode())
                .isEqualTo(200);
    }

    @Test
    void health_memory_isUp() throws Exception {
        assertThat(application.get("/actuator/health").body())
                .contains("\"weir\":{\"details\":{\"store\":\"memory\"},\"status\":\"UP\"}");
    }

    @Test
    void events_ofTheCurrentObservation_areCounted() throws Exception {
        assertThat(application.status("/observed")).isEqualTo(200);
        assertThat(application.status("/observed")).isEqualTo(429);
        assertThat(application.status("/pay")).isEqualTo(503);

        assertThat(application.get("/actuator/metrics").body())
                .contains(
                        "\"spring.security.http.secured.requests.weir.denied\"",
                        "\"http.client.requests.weir.denied\"");
    }
}
