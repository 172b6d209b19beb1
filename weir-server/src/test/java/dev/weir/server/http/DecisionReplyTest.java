package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decisions as JSON: a client that waits for the reported time is not too early. */
final class DecisionReplyTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();
    private final RateLimiter limiter = RateLimiter.builder()
            .name("api")
            .limit(Limit.unlimited())
            .store(store)
            .build();

    @AfterEach
    void close() {
        store.close();
    }

    private Decision decide(long permits, String... limits) {
        Request request = limiter.request("a", permits, Limits.parse(limits));
        return RateLimiter.tryAcquireAll(request);
    }

    private static JsonObject status(JsonObject decision, int position) {
        return decision.getJsonArray("statuses").getJsonObject(position);
    }

    @Test
    void times_areRoundedUpToSeconds() {
        String limit = "fixed-window 1/10s";
        decide(1, limit);
        time.advance(Duration.ofMillis(7_600));

        JsonObject denied = DecisionReply.json(decide(1, limit));
        assertThat(denied.getLong("retryAfterSeconds")).isEqualTo(3);
        assertThat(denied.getLong("resetAfterSeconds")).isEqualTo(3);
        assertThat(status(denied, 0).getLong("retryAfterSeconds")).isEqualTo(3);
        assertThat(status(denied, 0).getLong("resetAfterSeconds")).isEqualTo(3);

        time.advance(Duration.ofMillis(400));
        denied = DecisionReply.json(decide(1, limit));
        assertThat(denied.getLong("retryAfterSeconds")).isEqualTo(2);
        assertThat(status(denied, 0).getLong("retryAfterSeconds")).isEqualTo(2);
    }

    @Test
    void times_longerThanClientsCount_areCutAsInTheHeaders() {
        decide(1, "1/26000d");

        JsonObject denied = DecisionReply.json(decide(1, "1/26000d"));

        assertThat(List.of(denied, status(denied, 0)))
                .allMatch(json -> json.getLong("retryAfterSeconds") == Integer.MAX_VALUE)
                .allMatch(json -> json.getLong("resetAfterSeconds") == Integer.MAX_VALUE);
    }

    @Test
    void limitThatHasRoom_hasNoRetryAfter() {
        decide(1, "fixed-window 1/10s", "fixed-window 5/1h");

        JsonObject denied = DecisionReply.json(decide(1, "fixed-window 1/10s", "fixed-window 5/1h"));

        assertThat(status(denied, 0).containsKey("retryAfterSeconds")).isTrue();
        assertThat(status(denied, 1).containsKey("retryAfterSeconds")).isFalse();
        assertThat(status(denied, 1).getLong("remaining")).isEqualTo(4);
    }

    @Test
    void requestThatIsNeverAllowed_hasNoRetryAfter() {
        JsonObject never = DecisionReply.json(decide(2, "fixed-window 1/10s"));

        assertThat(never.containsKey("retryAfterSeconds")).isFalse();
        assertThat(status(never, 0).containsKey("retryAfterSeconds")).isFalse();
    }

    @Test
    void decision_saysOnlyWhatIsOutOfTheOrdinary() {
        assertThat(DecisionReply.json(decide(1, "fixed-window 3/10s")).fieldNames())
                .containsExactlyInAnyOrder("allowed", "remaining", "resetAfterSeconds", "statuses");
        store.blockAsync(limiter.request("a", 1, Limits.parse("fixed-window 3/10s")), 1_000_000_000)
                .join();
        assertThat(DecisionReply.json(decide(1, "fixed-window 3/10s"))).contains(Map.entry("blocked", true));
    }

    @Test
    void shadow_allowsWithoutRetryAfter_andKeepsTheOtherHeaders() {
        decide(1, "fixed-window 1/10s");
        Request request = limiter.request("a", 1, Limits.parse("fixed-window 1/10s"));

        HttpReply reply = new DecisionReply(true, false).of(decide(1, "fixed-window 1/10s"), List.of(request), 429);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).containsOnlyKeys("RateLimit-Policy", "RateLimit");
    }
}
