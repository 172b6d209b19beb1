package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.server.live.RuleId;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log of a key as operators see it, by a clock that the test moves. */
final class KeyReportTest {
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

    private Request request(String limit) {
        return limiter.request("a", 1, Limits.parse(limit));
    }

    private void decide(String limit) {
        RateLimiter.tryAcquireAll(request(limit));
    }

    private JsonObject limit(String limit) {
        Request request = request(limit);
        Decision next = store.peekAsync(request).join();
        KeyReport report = new KeyReport(
                RuleId.of(request),
                request.permits(),
                next,
                Optional.empty(),
                store.inspectAsync(request, KeyReport.MAX_RUNS).join(),
                List.of());
        return report.json().getJsonArray("limits").getJsonObject(0);
    }

    @Test
    void runs_moreThan100_areTruncatedToTheLatest() {
        for (int i = 0; i < 100; i++) {
            decide("1000/100s");
            time.advance(Duration.ofMillis(500));
        }
        JsonObject hundred = limit("1000/100s");
        assertThat(hundred.getJsonArray("runs").size()).isEqualTo(100);
        assertThat(hundred.getBoolean("truncated")).isFalse();

        decide("1000/100s");

        JsonObject more = limit("1000/100s");
        assertThat(more.getLong("used")).isEqualTo(101);
        assertThat(more.getBoolean("truncated")).isTrue();
        JsonArray runs = more.getJsonArray("runs");
        assertThat(runs.size()).isEqualTo(100);
        assertThat(runs.getValue(0)).isEqualTo(hundred.getJsonArray("runs").getValue(1));
    }

    @Test
    void fits_areRoundedUpToMilliseconds() {
        decide("fixed-window 1/10s");
        time.advanceNanos(2_000_300_000L);

        JsonObject fit = limit("fixed-window 1/10s").getJsonArray("fits").getJsonObject(0);

        assertThat(fit.getLong("permits")).isEqualTo(1);
        assertThat(fit.getLong("afterMillis")).isEqualTo(8_000);
    }

    @Test
    void timeline_hasEachPermitAtItsTime() {
        decide("9/150s");
        time.advance(Duration.ofSeconds(100));
        decide("9/150s");
        decide("9/150s");
        time.advance(Duration.ofSeconds(30));

        JsonObject timeline = limit("9/150s").getJsonObject("timeline");

        assertThat(timeline.getLong("windowMillis")).isEqualTo(150_000);
        assertThat(timeline.getLong("binMillis")).isEqualTo(1_000);
        List<Long> permits = timeline.getJsonArray("permits").stream()
                .map(number -> ((Number) number).longValue())
                .toList();
        assertThat(permits).hasSize(150).containsOnlyOnce(1L).containsOnlyOnce(2L);
        assertThat(permits.indexOf(1L)).isBetween(19, 21); // 130 s before
        assertThat(permits.indexOf(2L)).isBetween(119, 121); // 30 s before
    }
}
