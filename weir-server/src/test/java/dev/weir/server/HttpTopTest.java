package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The demand of a listed key, and when its next request is allowed. */
final class HttpTopTest extends ServerTest {
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final String CONFIGURATION = """
            policies:
              api: 3/1h
              both: [2/1h, 2/1d]
              daily: 100/1d
              monthly: 1/30d
            domain: edge
            descriptors:
              - key: nothing
                rate_limit: {unit: hour, requests_per_unit: 0}
              - key: tried
                shadow_mode: true
                rate_limit: {unit: hour, requests_per_unit: 1}
            """;

    private void decideTimes(int times, String policy) {
        for (int i = 0; i < times; i++) {
            decide(new JsonObject().put("key", "ann").put("policy", policy).encode());
        }
    }

    private List<JsonObject> top() {
        return keys("denied");
    }

    private List<JsonObject> keys(String by) {
        return json(get("/v1/top?by=" + by)).getJsonArray("keys").stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private List<Long> nextPermitMillis() {
        return top().stream().map(row -> row.getLong("nextPermitMillis")).toList();
    }

    @Test
    void severalLimits_nextPermit_isThatOfAllOfThem() throws IOException {
        start(CONFIGURATION);
        decideTimes(3, "both");

        assertThat(top()).extracting(row -> row.getString("limit")).contains("sliding-log 2/1h", "sliding-log 2/1d");
        assertThat(nextPermitMillis())
                .hasSize(2)
                .allSatisfy(millis -> assertThat(millis).isBetween(23 * HOUR_MILLIS, 24 * HOUR_MILLIS));
    }

    @Test
    void nextPermit_followsResetAndBlock() throws IOException {
        start(CONFIGURATION);
        decideTimes(4, "api");
        assertThat(nextPermitMillis().get(0)).isBetween(HOUR_MILLIS - 60_000, HOUR_MILLIS);

        http("DELETE", "/v1/keys/ann?policy=api", "");
        assertThat(nextPermitMillis()).containsExactly(0L);

        http("PUT", "/v1/keys/ann/block?policy=api&for=10h", "");
        assertThat(nextPermitMillis().get(0)).isBetween(9 * HOUR_MILLIS, 10 * HOUR_MILLIS);
        http("DELETE", "/v1/keys/ann/block?policy=api", "");
        assertThat(nextPermitMillis()).containsExactly(0L);
    }

    @Test
    void requestAboveTheLimit_nextPermit_isThatOfOnePermit() throws IOException {
        start(CONFIGURATION);
        decide("{\"key\":\"ann\",\"policy\":\"api\",\"permits\":10}");

        assertThat(nextPermitMillis()).containsExactly(0L);
        assertThat(keys("fullest")).as("it has used nothing").isEmpty();
    }

    @Test
    void blockedKey_isNotListedByWhatTheBlockDenied() throws IOException {
        start(CONFIGURATION);
        http("PUT", "/v1/keys/ann/block?policy=api&for=10h", "");
        decideTimes(5, "api");

        assertThat(keys("denied")).isEmpty();
        assertThat(keys("fullest")).isEmpty();
        assertThat(keys("blocked")).hasSize(1);
    }

    @Test
    void shadowRule_listsNoKeysThatItWouldDeny() throws IOException {
        start(CONFIGURATION);
        for (int i = 0; i < 5; i++) {
            assertThat(envoy().brief("edge", "tried=x")).startsWith("OK: ");
        }

        assertThat(keys("denied")).isEmpty();
    }

    @Test
    void fullStore_listsNoKeysThatItDenied() throws IOException {
        start(new ServerSettings().maxKeys(1), CONFIGURATION);
        decideTimes(5, "api");
        for (int i = 0; i < 20; i++) {
            assertThat(decide("{\"key\":\"new" + i + "\",\"policy\":\"api\"}").statusCode())
                    .isEqualTo(429);
        }

        assertThat(keys("denied")).extracting(row -> row.getString("key")).containsExactly("ann");
        assertThat(keys("fullest")).extracting(row -> row.getString("key")).containsExactly("ann");
    }

    @Test
    void limitThatDeniesEverything_hasNoNextPermit() throws IOException {
        start(CONFIGURATION);
        envoy().send("edge", "nothing=x");

        assertThat(nextPermitMillis()).hasSize(1).containsOnlyNulls();
    }

    /** Makes requests, and returns the demand of the key as a multiple of its limit. */
    private double demand(int times, String policy) {
        decideTimes(times, policy);
        return top().stream()
                .filter(row -> row.getString("rule").equals(policy))
                .findFirst()
                .orElseThrow()
                .getDouble("asks");
    }

    @Test
    void asks_isDemandDividedByTheLimit_forEveryWindow() throws IOException {
        start(CONFIGURATION);
        assertThat(demand(111, "daily")).isEqualTo(1.1);
        assertThat(demand(50, "daily")).isEqualTo(1.6);
        assertThat(demand(2, "monthly")).isEqualTo(2);
        assertThat(demand(7, "api")).isEqualTo(2.3);
    }

    @Test
    void redis_answersBeforeTheListIsSent() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(Duration.ofSeconds(5)), CONFIGURATION);
            decideTimes(3, "both");

            assertThat(nextPermitMillis())
                    .hasSize(2)
                    .allSatisfy(millis -> assertThat(millis).isBetween(23 * HOUR_MILLIS, 24 * HOUR_MILLIS));
        }
    }
}
