package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.LogLines;
import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions over HTTP: {@code /v1/decide} and {@code /v1/auth}. */
final class HttpDecideTest extends ServerTest {
    private static final String POLICIES = """
            policies:
              api: [2/1h, 100/1d]
              once: 1/1h
            """;
    private static final String ALICE = "{\"key\":\"alice\",\"limits\":[\"3/1h\"]}";

    @Test
    void decide_fourthOfThree_is429WithProblemAndHeaders() throws IOException {
        start(new ServerSettings());

        for (int i = 2; i >= 0; i--) {
            HttpResponse<String> allowed = decide(ALICE);
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(allowed.headers().firstValue("RateLimit-Policy")).hasValue("\"default\";q=3;w=3600");
            assertThat(json(allowed).getBoolean("allowed")).isTrue();
            assertThat(json(allowed).getInteger("remaining")).isEqualTo(i);
        }
        HttpResponse<String> denied = decide(ALICE);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(3_500L, 3_600L);
        assertThat(denied.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"default\";r=0;t=");
        assertThat(json(denied).getString("title")).isEqualTo("Too many requests");
        assertThat(json(denied).getInteger("status")).isEqualTo(429);
        assertThat(json(denied).getBoolean("allowed")).isFalse();
        assertThat(json(denied).getLong("retryAfterSeconds")).isBetween(3_500L, 3_600L);
        assertThat(json(denied).getJsonArray("statuses").getJsonObject(0).getString("limit"))
                .isEqualTo("sliding-log 3/1h");
    }

    @Test
    void decide_policy_hasItsLimits() throws IOException {
        start(POLICIES);

        HttpResponse<String> allowed = decide("{\"key\":\"a\",\"policy\":\"api\",\"permits\":2}");

        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"api-0\";q=2;w=3600, \"api-1\";q=100;w=86400");
        assertThat(decide("{\"key\":\"a\",\"policy\":\"api\"}").statusCode()).isEqualTo(429);
        assertThat(decide("{\"key\":\"b\",\"policy\":\"api\"}").statusCode()).isEqualTo(200);
    }

    @Test
    void decide_list_isAllOrNothing() throws IOException {
        start(POLICIES);
        String both = "[{\"key\":\"a\",\"policy\":\"api\"},{\"key\":\"a\",\"policy\":\"once\"}]";

        assertThat(decide(both).statusCode()).isEqualTo(200);
        HttpResponse<String> denied = decide(both);

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(json(denied).getJsonArray("violated-policies")).containsExactly("once");
        assertThat(json(denied).getJsonArray("statuses").getJsonObject(2).getInteger("request"))
                .isEqualTo(1);
        assertThat(json(decide("{\"key\":\"a\",\"policy\":\"api\"}")).getInteger("remaining"))
                .isZero();
    }

    /** What its queue has room for would have to wait, which the server does not. */
    @Test
    void decide_leakyBucket_hasNothingLeftInBetween() throws IOException {
        start(new ServerSettings());

        for (int i = 0; i < 2; i++) {
            HttpResponse<String> answer = decide("{\"key\":\"alice\",\"limits\":[\"leaky-bucket 3/1h\"]}");

            assertThat(answer.statusCode()).isEqualTo(i == 0 ? 200 : 429);
            assertThat(answer.headers().firstValue("RateLimit").orElseThrow()).contains(";r=0;");
            assertThat(json(answer).getInteger("remaining")).isZero();
            assertThat(json(answer).getJsonArray("statuses").getJsonObject(0).getInteger("remaining"))
                    .isZero();
        }
    }

    @Test
    void decide_moreThanTheLimit_hasNoRetryAfter() throws IOException {
        start(new ServerSettings());

        HttpResponse<String> denied = decide("{\"key\":\"alice\",\"limits\":[\"3/1h\"],\"permits\":4}");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
        assertThat(json(denied).containsKey("retryAfterSeconds")).isFalse();
    }

    @Test
    void decide_shadowForAll_allowsAndSaysSo() throws IOException {
        start(new ServerSettings().shadow(), POLICIES);
        String once = "{\"key\":\"a\",\"policy\":\"once\"}";
        assertThat(json(decide(once)).containsKey("shadow")).isFalse();

        HttpResponse<String> shadowed = decide(once);

        assertThat(shadowed.statusCode()).isEqualTo(200);
        assertThat(shadowed.headers().firstValue("Retry-After")).isEmpty();
        assertThat(json(shadowed).getBoolean("allowed")).isTrue();
        assertThat(json(shadowed).getBoolean("shadow")).isTrue();
    }

    @Test
    void decide_zeroPermits_takesNothing() throws IOException {
        start("policies: {tokens: 1000/1h count=attempts}");
        String peek = "{\"key\":\"a\",\"policy\":\"tokens\",\"permits\":0}";

        assertThat(json(decide(peek)).getInteger("remaining")).isEqualTo(1_000);
        assertThat(decide(peek.replace(":0}", ":5000}")).statusCode()).isEqualTo(429); // counts, because attempts do
        HttpResponse<String> denied = decide(peek);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(3_500L, 3_601L); // counted in whole ticks: up to a tick longer
        assertThat(json(denied).getInteger("remaining")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                                        | 400 | the body must be JSON",
                "{                                         | 400 | the body must be JSON",
                "null                                      | 400 | the body must be JSON",
                "{'key':'k','key':'l','policy':'once'}     | 400 | the body must be JSON with each field once",
                "{'key':'k','k\\u0065y':'l','policy':'once'} | 400 | the body must be JSON with each field once",
                "5                                         | 400 | a request must be a JSON object",
                "[]                                        | 400 | requests must be at least 1",
                "{}                                        | 400 | key must be a text",
                "{'key':1}                                 | 400 | key must be a text",
                "{'key':'k','policy':'once'/**/}           | 400 | the body must be JSON",
                "{'key':'k'}                               | 400 | a request needs either a policy or limits",
                "{'key':'k','limits':[]}                   | 400 | a request needs either a policy or limits",
                "{'key':'k','policy':'once','limits':['1/1s']} | 400 | a request needs either a policy or limits",
                "{'key':'k','policy':'none'}               | 404 | there is no policy 'none'",
                "{'key':'k','policy':5}                    | 400 | policy must be a text",
                "{'key':'k','limits':'1/1s'}               | 400 | limits must be a list of texts",
                "{'key':'k','limits':[5]}                  | 400 | limits must be a list of texts",
                "{'key':'k','limits':['1/x']}              | 400 | limit '1/x', column 3",
                "{'key':'','policy':'once'}                | 400 | key must not be empty",
                "{'key':'k','policy':'once','permits':-1}  | 400 | permits must be at least 1, was -1",
                "[{'key':'k','policy':'once','permits':0}] | 400 | permits must be at least 1, was 0",
                "{'key':'k','polcy':'once','permits':0}    | 400 | unknown field 'polcy' (did you mean 'policy'?)",
                "{'key':'k','policy':'once','permits':1.5} | 400 | permits must be a whole number",
                "{'key':'k','policy':'once','permits':'1'} | 400 | permits must be a whole number",
                "{'key':'k','polcy':'once'}                | 400 | unknown field 'polcy' (did you mean 'policy'?)",
                "{'k\\u0001y':'k','policy':'once'}          | 400 | unknown field 'k?y'",
                "[{'key':'k','policy':'once'},{'key':'k','policy':'once'}] | 400 | duplicate limiter and key"
            })
    void decide_badBody_isExplained(String body, int status, String why) throws IOException {
        start(POLICIES);

        HttpResponse<String> refused = decide(body.replace('\'', '"'));

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(json(refused).getString("detail")).startsWith(why);
        assertThat(json(refused).getInteger("status")).isEqualTo(status);
        assertThat(decide("{\"key\":\"k\",\"policy\":\"once\"}").statusCode()).isEqualTo(200);
    }

    @Test
    void decide_keyTooLong_isRefused() throws IOException {
        start(POLICIES);

        HttpResponse<String> refused = decide("{\"key\":\"" + "k".repeat(1_025) + "\",\"policy\":\"once\"}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).getString("detail")).startsWith("key must be at most 1024 bytes long");
    }

    @Test
    void decide_longField_isNotRepeatedAtItsLength() throws IOException {
        start(POLICIES);

        HttpResponse<String> refused = decide("{\"" + "k".repeat(10_000) + "\":1}");

        assertThat(json(refused).getString("detail"))
                .startsWith("unknown field 'kkk")
                .endsWith("...")
                .hasSize(503);
    }

    @Test
    void decide_manyDifferentLimits_areAllCounted() throws IOException {
        start(new ServerSettings());

        for (int first = 1; first <= 1_100; first += 50) {
            List<Integer> limits = IntStream.range(first, first + 50).boxed().toList();
            String list = limits.stream()
                    .map(i -> "{\"key\":\"%s\",\"limits\":[\"%s/1h\"]}".formatted(i, i))
                    .collect(Collectors.joining(",", "[", "]"));
            assertThat(json(decide(list)).getJsonArray("statuses").stream()
                            .map(status -> ((JsonObject) status).getInteger("remaining") + 1))
                    .containsExactlyElementsOf(limits);
        }
        assertThat(json(decide("{\"key\":\"3\",\"limits\":[\"3/1h\"]}")).getInteger("remaining"))
                .isEqualTo(1);
    }

    @Test
    void auth_denied_is429Or403() throws IOException {
        start(POLICIES);

        HttpResponse<String> allowed = get("/v1/auth?policy=once&key=k");
        HttpResponse<String> denied = get("/v1/auth?policy=once&key=k");
        HttpResponse<String> forbidden = get("/v1/auth?policy=once&key=k&deny=403");

        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(forbidden.statusCode()).isEqualTo(403);
        assertThat(json(forbidden).getInteger("status")).isEqualTo(403);
        assertThat(forbidden.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(3_500L, 3_600L);
    }

    @Test
    void auth_withoutKey_keyIsTheClientThatTheProxyReports() throws IOException {
        start(POLICIES);

        assertThat(get("/v1/auth?policy=once", "X-Forwarded-For", "192.0.2.1").statusCode())
                .isEqualTo(200);
        assertThat(get("/v1/auth?policy=once", "X-Forwarded-For", "192.0.2.2").statusCode())
                .isEqualTo(200);
        assertThat(get("/v1/auth?policy=once", "X-Forwarded-For", "1.1.1.1, 192.0.2.1")
                        .statusCode())
                .isEqualTo(429);
        assertThat(get("/v1/auth?policy=once").statusCode()).isEqualTo(200);
        assertThat(get("/v1/auth?policy=once").statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/auth                               | 400 | a request needs either a policy or limits",
                "/v1/auth?policy=once&policy=api        | 400 | parameter 'policy' is given 2 times",
                "/v1/auth?policy=once&limit=1/1s        | 400 | a request needs either a policy or limits",
                "/v1/auth?policy=once&deny=500          | 400 | deny must be 429 or 403, was '500'",
                "/v1/auth?policy=once&permits=x         | 400 | permits must be a whole number",
                "/v1/auth?policy=once&permits=-1        | 400 | permits must be at least 1, was -1",
                "/v1/auth?policy=once&kee=a             | 400 | unknown parameter 'kee'",
                "/v1/auth?policy=once&key=%0a%00        | 200 |",
                "/v1/auth?policy=once;deny=403          | 404 | there is no policy 'once;deny=403'",
                "/v1/auth?policy=%zz                    | 400 | the query cannot be decoded",
                "/v1/auth?policy=once&key=M%FCller      | 400 | the query must be UTF-8",
                "/v1/auth?policy=once&key=%C3           | 400 | the query must be UTF-8",
                "/v1/auth?policy=once&%FF=a             | 400 | the query must be UTF-8",
                "/v1/keys/a/trace.csv?permits=1         | 400 | unknown parameter 'permits'",
                "/v1/keys/%FF?policy=once               | 400 | the path must be UTF-8",
                "/v1/keys/%zz?policy=once               | 400 | the path cannot be decoded",
                "/v1/other                              | 404 | there is nothing at '/v1/other'",
                "/v1/decide                             | 405 | the method must be POST"
            })
    void get_badRequest_isExplained(String path, int status, String why) throws IOException {
        start(POLICIES);

        byte[] answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(new String(answer, StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 " + status)
                .contains(why == null ? "" : "\"detail\":\"" + why);
    }

    @Test
    void head_hasNoBody() throws IOException {
        start(POLICIES);

        HttpResponse<String> head = http("HEAD", "/v1/auth?policy=once&key=k", "");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("RateLimit")).isPresent();
        assertThat(head.body()).isEmpty();
    }

    /** In memory such a list is decided; a step on Redis is bounded. */
    @Test
    void manyLimitsTogether_onRedis_isAMistakeOfTheClient() throws Exception {
        String limits = IntStream.rangeClosed(1, 13)
                .mapToObj(seconds -> "\"9/" + seconds + "s\"")
                .collect(Collectors.joining(",", "[", "]"));
        String list = IntStream.range(0, 5)
                .mapToObj(key -> "{\"key\":\"" + key + "\",\"limits\":" + limits + "}")
                .collect(Collectors.joining(",", "[", "]"));
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines("")) {
            start(new ServerSettings().redis(redis.uri()), THREE_A_DAY);

            HttpResponse<String> response = decide(list);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(json(response).getString("detail"))
                    .isEqualTo("a request on Redis may have at most 64 limits on all its keys together, had 65");
            assertThat(log.lines()).noneMatch(line -> line.startsWith("SEVERE"));
        }
    }
}
