package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.config.ConfigurationException;
import dev.weir.server.config.Problem;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Candidates: limits that are tried beside live ones. */
final class CandidatesTest extends ServerTest {
    private static final String CONFIGURATION = """
            policies:
              api: {limits: 5/1h, candidate: 3/1h}
              wide: {limits: 2/1h, candidate: [4/1h, 100/1d]}
              once: 1/1h
            domain: edge
            descriptors:
              - key: user
                rate_limit: {unit: hour, requests_per_unit: 2}
                candidate: 1/1h
              - key: path
                rate_limit: {unit: hour, requests_per_unit: 1}
            """;

    private JsonObject comparison(String rule) {
        return json(get("/v1/candidates")).getJsonArray("candidates").stream()
                .map(JsonObject.class::cast)
                .filter(comparison -> comparison.getString("rule").equals(rule))
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> cells(JsonObject comparison) {
        return List.of(
                comparison.getLong("bothAllow"),
                comparison.getLong("bothDeny"),
                comparison.getLong("onlyLiveDenies"),
                comparison.getLong("onlyCandidateDenies"));
    }

    private List<Integer> statuses(int times, String body) {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            statuses.add(decide(body).statusCode());
        }
        return statuses;
    }

    @Test
    void policy_comparedOnAllRequests_answersAreThoseOfTheLiveLimit() throws IOException {
        start(CONFIGURATION);

        assertThat(statuses(7, "{\"key\":\"a\",\"policy\":\"api\"}"))
                .containsExactly(200, 200, 200, 200, 200, 429, 429);
        assertThat(statuses(6, "{\"key\":\"b\",\"policy\":\"wide\"}")).containsExactly(200, 200, 429, 429, 429, 429);
        decide("{\"key\":\"c\",\"policy\":\"wide\"}");

        JsonObject api = comparison("api");
        assertThat(cells(api)).containsExactly(3L, 2L, 0L, 2L);
        assertThat(api.getString("limit")).isEqualTo("sliding-log 5/1h");
        assertThat(api.getString("candidate")).isEqualTo("sliding-log 3/1h");
        assertThat(api.getLong("keysDeniedByLive")).isEqualTo(1);
        assertThat(cells(comparison("wide"))).containsExactly(3L, 2L, 2L, 0L);
        assertThat(comparison("wide").getString("candidate")).isEqualTo("sliding-log 4/1h, sliding-log 100/1d");
        assertThat(get("/metrics").body())
                .contains(
                        "weir_candidate_decisions_total{outcome=\"both_allow\",rule=\"api\"} 3.0",
                        "weir_candidate_decisions_total{outcome=\"only_candidate_denies\",rule=\"api\"} 2.0")
                .doesNotContain("limiter=\"candidate\"");
    }

    @Test
    void policy_anotherDenies_candidateIsNotEvaluated() throws IOException {
        start(CONFIGURATION);
        String both = "[{\"key\":\"a\",\"policy\":\"api\"},{\"key\":\"a\",\"policy\":\"once\"}]";

        assertThat(statuses(4, both)).containsExactly(200, 429, 429, 429);
        assertThat(cells(comparison("api"))).containsExactly(1L, 0L, 0L, 0L);
        assertThat(statuses(2, "{\"key\":\"a\",\"policy\":\"api\"}")).containsExactly(200, 200);
        assertThat(cells(comparison("api"))).containsExactly(3L, 0L, 0L, 0L);
    }

    @Test
    void blockedKey_isNotCompared() throws IOException {
        start(CONFIGURATION);
        http("PUT", "/v1/keys/a/block?policy=api&for=10m", "");
        http("PUT", "/v1/keys/user=ann/block?domain=edge&for=10m", "");

        assertThat(statuses(2, "{\"key\":\"a\",\"policy\":\"api\"}")).containsExactly(429, 429);
        envoy().send("edge", "user=ann");

        assertThat(cells(comparison("api"))).containsExactly(0L, 0L, 0L, 0L);
        assertThat(cells(comparison("edge.user"))).containsExactly(0L, 0L, 0L, 0L);
    }

    @Test
    void rule_isCompared_answersAreThoseOfTheLiveLimit() throws IOException {
        start(CONFIGURATION);

        assertThat(envoy().brief("edge", "user=ann")).isEqualTo("OK: OK 1");
        assertThat(envoy().brief("edge", "user=ann", "path=/")).isEqualTo("OK: OK 0, OK 0");
        assertThat(envoy().brief("edge", "user=ann")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(envoy().brief("edge", "user=bob", "path=/")).isEqualTo("OVER_LIMIT: OK 2, OVER_LIMIT 0");

        JsonObject user = comparison("edge.user");
        assertThat(cells(user)).containsExactly(1L, 1L, 0L, 1L);
        assertThat(user.getLong("keysDeniedByLive")).isEqualTo(1);
        assertThat(user.getLong("keysDeniedByCandidate")).isEqualTo(1);
    }

    @Test
    void ruleInQuotaMode_isComparedOnWhatItDenies() throws IOException {
        start("""
                domain: edge
                descriptors:
                  - {key: user, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 2}, candidate: 4/1h}
                  - {key: path, rate_limit: {unit: hour, requests_per_unit: 6}}
                """);
        for (int i = 0; i < 5; i++) {
            envoy().send("edge", "user=ann", "path=/");
        }

        assertThat(cells(comparison("edge.user"))).containsExactly(2L, 1L, 2L, 0L);
    }

    @Test
    void reset_isOneOfTheCandidate() throws IOException {
        start("policies: {api: {limits: 2/1h, candidate: 2/1h}}\n");
        statuses(2, "{\"key\":\"a\",\"policy\":\"api\"}");
        http("DELETE", "/v1/keys/a?policy=api", "");

        assertThat(statuses(3, "{\"key\":\"a\",\"policy\":\"api\"}")).containsExactly(200, 200, 429);
        assertThat(cells(comparison("api"))).containsExactly(4L, 1L, 0L, 0L);
    }

    @Test
    void keysOfCandidates_takeNoRoomOfLiveOnes() throws IOException {
        start(new ServerSettings().maxKeys(4), "policies: {api: {limits: 5/1h, candidate: 3/1h}}\n");

        for (int key = 0; key < 4; key++) {
            assertThat(statuses(1, "{\"key\":\"" + key + "\",\"policy\":\"api\"}"))
                    .containsExactly(200);
        }
        assertThat(cells(comparison("api"))).containsExactly(4L, 0L, 0L, 0L);
        assertThat(get("/metrics").body()).contains("weir_store_keys{store=\"server\"} 4.0");
    }

    @Test
    void candidate_isARowAndExplained() throws IOException {
        start(CONFIGURATION);
        try (EventReader events = new EventReader(server())) {
            JsonObject state = events.next("state");
            List<JsonObject> rows = state.getJsonArray("limits").stream()
                    .map(JsonObject.class::cast)
                    .filter(row -> row.getString("rule").equals("api"))
                    .toList();
            assertThat(rows).extracting(row -> row.getString("mode")).containsExactly("live", "candidate");
            assertThat(rows.get(1).getInteger("of")).isEqualTo(rows.get(0).getInteger("id"));
            int id = rows.get(1).getInteger("id");

            statuses(6, "{\"key\":\"a\",\"policy\":\"api\"}");

            JsonObject frame = events.frame(
                    () -> statuses(1, "{\"key\":\"a\",\"policy\":\"api\"}"),
                    later -> !later.getJsonArray("candidates").isEmpty());
            assertThat(frame.getJsonArray("candidates").getJsonArray(0).getInteger(0))
                    .isEqualTo(id);
        }
        List<JsonObject> explained = json(get("/v1/keys/a?policy=api")).getJsonArray("explain").stream()
                .map(JsonObject.class::cast)
                .toList();
        assertThat(explained)
                .extracting(row -> row.getString("mode") + " " + row.getString("reason"))
                .containsExactly("live 5 of 5 used: denies", "candidate 3 of 3 used: denies");
    }

    @Test
    void changedCandidate_comparisonRestarts() throws IOException {
        start(CONFIGURATION);
        statuses(4, "{\"key\":\"a\",\"policy\":\"api\"}");
        write(
                "limits.yaml",
                CONFIGURATION.replace("candidate: 3/1h", "candidate: 4/1h").replace("once:", "renamed:"));
        Await.until(() -> get("/v1/configuration").body().contains("renamed")); // in force, after the table has it

        assertThat(comparison("api").getString("candidate")).isEqualTo("sliding-log 4/1h");
        statuses(2, "{\"key\":\"a\",\"policy\":\"api\"}");

        assertThat(cells(comparison("api"))).containsExactly(1L, 1L, 0L, 0L); // its grants are carried over: 3 of 4
    }

    @Test
    void redis_isAway_liveDecisionsFollowThePolicy() throws IOException {
        start(
                new ServerSettings()
                        .redis("redis://127.0.0.1:" + RedisServer.freePort())
                        .storeTimeout(Duration.ofMillis(200)),
                CONFIGURATION);

        assertThat(statuses(7, "{\"key\":\"a\",\"policy\":\"api\"}"))
                .containsExactly(200, 200, 200, 200, 200, 429, 429);

        assertThat(cells(comparison("api"))).containsExactly(0L, 0L, 0L, 0L);
        assertThat(comparison("api").getLong("failed")).isEqualTo(7);
    }

    @Test
    void redis_answers_isCompared() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(Duration.ofSeconds(10)), CONFIGURATION);

            assertThat(statuses(7, "{\"key\":\"a\",\"policy\":\"api\"}"))
                    .containsExactly(200, 200, 200, 200, 200, 429, 429);

            Await.until(() -> cells(comparison("api")).equals(List.of(3L, 2L, 0L, 2L)));
            assertThat(comparison("api").getLong("failed")).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policies: {api: {limits: 5/1h, candidate: 3/x}}          | candidate",
                "policies: {api: {candidate: 3/1h}}                       | limits",
                "policies: {api: {limits: 5/1h, candidates: 3/1h}}        | unknown key 'candidates' (did you mean 'candidate'?)",
                "policies: {api: {limits: 5/1h, candidate: }}             | candidate must not be empty",
                "{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1}, candidate: }]} | candidate must not be empty",
                "policies: {candidate: 5/1h}                              | not envoy, default or candidate",
                "{domain: d, descriptors: [{key: a, candidate: 1/1h}]}    | candidate needs a rate_limit",
                "{domain: d, descriptors: [{key: a, rate_limit: {unlimited: true}, candidate: 1/1h}]} | candidate must not be",
                "{domain: d, descriptors: [{key: a_b, rate_limit: {unit: day, requests_per_unit: 1}}, "
                        + "{key: a, value: b, rate_limit: {unit: day, requests_per_unit: 1}, candidate: 2/1h}]} "
                        + "| candidate needs a rule whose name 'd.a_b' no other rule has",
                "{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1}, candidate: x}]} | limit 'x'"
            })
    void badCandidate_isExplained(String configuration, String why) throws IOException {
        Files.writeString(directory.resolve("limits.yaml"), configuration);

        List<Problem> problems = new ArrayList<>();
        try {
            WeirServer.check(new ServerSettings().configuration(directory.resolve("limits.yaml")));
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
        }
        assertThat(problems).isNotEmpty().first().asString().contains(why.equals("candidate") ? "3/x" : why);
    }
}
