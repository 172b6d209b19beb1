package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rows of limits over changes of the configuration. */
final class LimitHistoryTest {
    private final LiveRecorder recorder = new LiveRecorder();
    private final LimitHistory history = new LimitHistory(recorder);

    private static RuleId login(String limit) {
        return new RuleId("login", "login", "live", Limits.parse(limit), false, true);
    }

    private RuleRows configure(String limit, String candidate) {
        recorder.configure(List.of(new ConfiguredRule(login(limit), Limits.parse(candidate))));
        return recorder.rule(login(limit));
    }

    private void sample(long second) {
        history.sample(second, new StoreHealth(false).sample());
    }

    private List<String> rows() {
        return history.rows().stream()
                .map(row -> ((JsonObject) row).getString("limit"))
                .toList();
    }

    /** Returns what the row with a number allowed and denied in the latest second, such as 1+2. */
    private String decisions(int id) {
        return history.now().getJsonArray("limits").stream()
                .map(JsonArray.class::cast)
                .filter(row -> row.getInteger(0) == id)
                .map(row -> row.getInteger(1) + "+" + row.getInteger(2))
                .findFirst()
                .orElse("none");
    }

    @Test
    void limitsChange_decisionsBeforeTheChangeAreInTheNextSample() {
        RuleRows former = configure("5/1h", "1/1h");
        int candidate = former.comparison().row().id;
        sample(1);
        recorder.allowed(former, 0, "a", 100);
        recorder.denied(former, 0, "a", 0);
        recorder.denied(former, 0, "a", 0);
        former.comparison().count(true, true);

        RuleRows latter = configure("7/1h", "2/1h");
        recorder.denied(latter, 0, "a", 0);
        assertThat(rows()).contains("sliding-log 7/1h");
        sample(2);

        assertThat(decisions(former.row(0).id)).isEqualTo("1+2");
        assertThat(decisions(candidate)).isEqualTo("0+1");
        assertThat(decisions(latter.row(0).id)).isEqualTo("0+1");
        assertThat(rows()).contains("sliding-log 5/1h", "sliding-log 7/1h");
        int version = history.version();
        sample(3);

        assertThat(rows()).containsExactly("sliding-log 7/1h", "", "sliding-log 2/1h");
        assertThat(history.version()).isNotEqualTo(version);
    }
}
