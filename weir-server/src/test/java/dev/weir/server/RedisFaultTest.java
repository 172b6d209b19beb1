package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.weir.FailurePolicy;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import dev.weir.testing.RedisServer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.StatusRuntimeException;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis is killed and restarted while clients send requests over HTTP and gRPC: what they see under each policy. */
final class RedisFaultTest extends ServerTest {
    private static final int REQUESTS = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** A policy, the answers of HTTP and gRPC while Redis is away, and how many requests of one key are allowed. */
    static Stream<Arguments> policies() {
        return Stream.of(
                Arguments.of(FailurePolicy.open(), Set.of("200 degraded", "OK"), REQUESTS),
                Arguments.of(FailurePolicy.closed(), Set.of("429 degraded", "OVER_LIMIT"), 0),
                Arguments.of(FailurePolicy.local(1), Set.of("200 degraded", "429 degraded", "OK", "OVER_LIMIT"), 3),
                Arguments.of(null, Set.of("503", "UNAVAILABLE"), 0));
    }

    private String overHttp(String key) {
        HttpResponse<String> response = decide("{\"key\":\"" + key + "\",\"policy\":\"api\"}");
        boolean degraded = response.statusCode() != 503 && json(response).getBoolean("degraded", false);
        return response.statusCode() + (degraded ? " degraded" : "");
    }

    private String overGrpc(String key) {
        return overGrpc(EnvoyClient.request("d", "k=" + key));
    }

    private String overGrpc(RateLimitRequest.Builder request) {
        try {
            return envoy().send(request.build()).getOverallCode().name();
        } catch (StatusRuntimeException failure) {
            return failure.getStatus().getCode().name();
        }
    }

    private List<String> send(boolean grpc, String key, int requests) {
        return Stream.generate(() -> grpc ? overGrpc(key) : overHttp(key))
                .limit(requests)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void redis_isKilledAndBack_policyIsVisible_thenExact(FailurePolicy policy, Set<String> answers, int allowed)
            throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT).whenStoreFails(policy), THREE_A_DAY);
            assertThat(overHttp("before")).isEqualTo("200");

            redis.kill();
            Await.until(() -> !overHttp("first").equals("200"));
            List<String> http = send(false, "away", REQUESTS);
            List<String> grpc = send(true, "away", REQUESTS);

            Set<String> seen = new TreeSet<>(http);
            seen.addAll(grpc);
            assertThat(seen).isEqualTo(answers);
            assertThat(http).filteredOn(answer -> answer.startsWith("200")).hasSize(allowed);
            assertThat(grpc).filteredOn("OK"::equals).hasSize(allowed);
            assertThat(get("/healthz").statusCode()).isEqualTo(200);

            redis.restart();
            Await.until(() -> overHttp("probe").matches("200|429"));
            assertThat(send(false, "after", 10))
                    .containsOnly("200", "429")
                    .filteredOn("200"::equals)
                    .hasSize(3);
            assertThat(send(true, "after", 10))
                    .containsOnly("OK", "OVER_LIMIT")
                    .filteredOn("OK"::equals)
                    .hasSize(3);
        }
    }

    /** Rules are evaluated in up to three steps, and no step may hide that the store did not decide. */
    @Test
    void redis_isAway_requestsOfAllModesFailIfTheyNeedIt() throws Exception {
        start(
                new ServerSettings()
                        .redis("redis://127.0.0.1:" + RedisServer.freePort())
                        .whenStoreFails(null),
                """
                domain: d
                descriptors:
                  - key: live
                    rate_limit: {unit: day, requests_per_unit: 3}
                  - key: quota
                    quota_mode: true
                    rate_limit: {unit: day, requests_per_unit: 3}
                  - key: shadow
                    shadow_mode: true
                    rate_limit: {unit: day, requests_per_unit: 3}
                """);
        List<RateLimitRequest.Builder> requests = List.of(
                EnvoyClient.request("d", "live=x"),
                EnvoyClient.request("d", "live=x", "live=y"),
                EnvoyClient.request("d", "quota=x"),
                EnvoyClient.request("d", "shadow=x"),
                EnvoyClient.request("d", "live=x", "quota=x", "shadow=x"),
                EnvoyClient.request("d").addDescriptors(EnvoyClient.hits("live=x", 0)));

        assertThat(requests).extracting(this::overGrpc).containsOnly("UNAVAILABLE");
    }

    /** Otherwise a proxy that gives up on a slow store would use up limits with requests that it does not send. */
    @Test
    void redis_isPaused_cancelledCallIsRefunded() throws Exception {
        RateLimitRequest request = EnvoyClient.request("d", "k=v").build();
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), THREE_A_DAY);
            assertThat(envoy().brief("d", "k=v")).isEqualTo("OK: OK 2");
            redis.pause();
            ListenableFuture<RateLimitResponse> cancelled =
                    RateLimitServiceGrpc.newFutureStub(envoy().channel()).shouldRateLimit(request);
            Await.until(() -> get("/metrics").body().contains("\nweir_store_calls{store=\"server\"} 1.0\n"));

            cancelled.cancel(true);
            assertThat(envoy().brief("d", "other=v")).as("of a later call").isEqualTo("OK: OK 0");
            redis.resume();

            Await.until(() -> envoy().send("d", "k=peek").getOverallCode() == Code.OK);
            RateLimitRequest peek = EnvoyClient.request("d")
                    .addDescriptors(EnvoyClient.hits("k=v", 0))
                    .build();
            Await.until(() -> EnvoyClient.brief(envoy().send(peek)).equals("OK: OK 2"));
        }
    }

    /** A viewer that connects later must see earlier failures. */
    @Test
    void redis_isKilled_laterViewers_seeItsFailures() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), THREE_A_DAY);
            redis.kill();
            try (EventReader first = new EventReader(server())) {
                first.next("state");
                first.frame(
                        () -> overHttp("away"),
                        frame -> frame.getJsonObject("store").getLong("localDecisions") > 0);
            }

            try (EventReader later = new EventReader(server())) {
                JsonObject history = later.next("state").getJsonObject("history");
                for (String figure : List.of("timeouts", "localDecisions")) {
                    assertThat(history.getJsonArray(figure).stream().mapToLong(n -> ((Number) n).longValue()))
                            .as(figure)
                            .hasSize(300)
                            .anyMatch(count -> count > 0);
                }
            }
        }
    }

    @Test
    void redis_isKilledAndBack_eachIsOneLogLine() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines("")) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), THREE_A_DAY);

            redis.kill();
            Await.until(() -> overHttp("away").endsWith(" degraded"));
            redis.restart();
            Await.until(() -> !overHttp("back").endsWith(" degraded"));

            Await.until(() -> log.lines().contains("INFO Redis answers again"));
            assertThat(log.lines().stream()
                            .filter(line -> line.contains("failure polic") || line.contains("answers again")))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("WARNING ")
                                    .endsWith("; limiters follow their failure policies"),
                            line -> assertThat(line).isEqualTo("INFO Redis answers again"));
        }
    }
}
