package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.Comparison.Outcome;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rows of limits over changes of the configuration. */
final class LimitHistoryTest {
    private final LiveRecorder recorder = new LiveRecorder();
    private final LimitHistory history = new LimitHistory(recorder);

    private RuleRows configure(String limit, String candidate) {
        Rule login = Rule.ofPolicy("login", Limits.parse(limit), Limits.parse(candidate));
        recorder.configure(List.of(login));
        return recorder.rule(RuleId.of(login));
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
        recorder.allowed(former.row(0), "a", 100);
        recorder.denied(former.row(0), "a", 0);
        recorder.denied(former.row(0), "a", 0);
        former.comparison().count(Outcome.BOTH_DENY);

        RuleRows latter = configure("7/1h", "2/1h");
        recorder.denied(latter.row(0), "a", 0);
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

    private RuleRows limitOfRequests() {
        return recorder.rule(new RuleId("default", "default", Mode.LIVE, Limits.parse("5/1h"), false, false));
    }

    @Test
    void now_rowIsShownUntilItHasBeenWithoutDecisions() {
        RuleRows rule = limitOfRequests();
        sample(1);
        assertThat(decisions(rule.row(0).id)).isEqualTo("none");
        recorder.allowed(rule.row(0), "a", 100);
        sample(2);
        assertThat(decisions(rule.row(0).id)).isEqualTo("1+0");
        recorder.denied(rule.row(0), "a", 0);
        sample(3);
        assertThat(decisions(rule.row(0).id)).isEqualTo("0+1");
        sample(4);
        assertThat(decisions(rule.row(0).id)).isEqualTo("0+0");
        sample(5);
        assertThat(decisions(rule.row(0).id)).isEqualTo("none");
    }

    @Test
    void now_deniedKeysAreForgottenAfterAMinute() {
        LimitRow row = limitOfRequests().row(0);
        row.deniedKeys.add(LimitedKey.hash("a"), 60);
        sample(60);
        assertThat(history.now().getJsonArray("limits"))
                .containsExactly(new JsonArray().add(row.id).add(0).add(0).add(1L));
        sample(61);
        assertThat(history.now().getJsonArray("limits")).isEmpty();

        sample(121);

        assertThat(history.now().getJsonArray("limits"))
                .containsExactly(new JsonArray().add(row.id).add(0).add(0).add(0L));
    }

    @Test
    void sample_limitOfRequestsIsIdle_isForgotten() {
        recorder.allowed(limitOfRequests().row(0), "a", 100);
        sample(1);
        sample(300);
        assertThat(rows()).containsExactly("sliding-log 5/1h", "");

        sample(301);
        assertThat(rows()).containsExactly("");
    }

    private static List<Long> last(JsonArray seconds, int count) {
        return seconds.stream()
                .skip(seconds.size() - count)
                .map(number -> number == null ? null : ((Number) number).longValue())
                .toList();
    }

    @Test
    void before_hasEachSecondOfTheServer_andSumsOfFiveOfEachRow() {
        RuleRows rule = limitOfRequests();
        recorder.request(true);
        recorder.request(true);
        recorder.request(false);
        recorder.dropped.increment();
        recorder.allowed(rule.row(0), "a", 100);
        recorder.allowed(rule.row(0), "a", 100);
        recorder.denied(rule.row(0), "a", 0);
        history.sample(10, new StoreHealth.Second(1_500L, 4, 3, 0, null));
        recorder.request(true);
        recorder.allowed(rule.row(0), "a", 100);
        history.sample(11, new StoreHealth.Second(null, 1, 0, 9, null));
        recorder.request(false);
        recorder.denied(rule.row(0), "a", 0);
        history.sample(15, new StoreHealth.Second(700L, 0, 2, 0, null));

        JsonObject before = history.before();

        assertThat(before.getLong("second")).isEqualTo(15);
        assertThat(last(before.getJsonArray("allowed"), 6)).containsExactly(2L, 1L, 0L, 0L, 0L, 0L);
        assertThat(last(before.getJsonArray("denied"), 6)).containsExactly(1L, 0L, 0L, 0L, 0L, 1L);
        assertThat(last(before.getJsonArray("latencyMicros"), 6)).containsExactly(1_500L, null, null, null, null, 700L);
        assertThat(last(before.getJsonArray("timeouts"), 6)).containsExactly(4L, 1L, 0L, 0L, 0L, 0L);
        assertThat(last(before.getJsonArray("localDecisions"), 6)).containsExactly(3L, 0L, 0L, 0L, 0L, 2L);
        assertThat(last(before.getJsonArray("dropped"), 6)).containsExactly(1L, 0L, 0L, 0L, 0L, 0L);
        assertThat(last(before.getJsonArray("outage"), 6)).containsExactly(0L, 1L, 0L, 0L, 0L, 0L);
        JsonObject sums = before.getJsonObject("limits").getJsonObject(Integer.toString(rule.row(0).id));
        assertThat(last(sums.getJsonArray("allowed"), 2)).containsExactly(2L, 1L);
        assertThat(last(sums.getJsonArray("denied"), 2)).containsExactly(1L, 1L);
        assertThat(before.getJsonObject("limits").fieldNames())
                .as("rows that decided")
                .hasSize(1);
    }

    @Test
    void total_isThatOfAllSamples_andSoIsThatOfEachRow() {
        RuleRows rule = limitOfRequests();
        for (int second = 1; second <= 2; second++) {
            recorder.request(true);
            recorder.request(false);
            recorder.request(false);
            recorder.allowed(rule.row(0), "a", 100);
            recorder.denied(rule.row(0), "a", 0);
            recorder.denied(rule.row(0), "a", 0);
            sample(second);
        }
        recorder.request(true); // in the next sample
        recorder.allowed(rule.row(0), "a", 100);

        assertThat(history.total())
                .isEqualTo(new JsonObject().put("allowed", 2L).put("denied", 4L));
        assertThat(history.rows().getJsonObject(0).getLong("allowed")).isEqualTo(2);
        assertThat(history.rows().getJsonObject(0).getLong("denied")).isEqualTo(4);
    }

    @Test
    void now_hasComparisonsThatHaveChanged() {
        Comparison comparison = configure("5/1h", "1/1h").comparison();
        int id = comparison.row().id;
        comparison.count(Outcome.BOTH_DENY);
        comparison.count(Outcome.ONLY_CANDIDATE_DENIES);
        comparison.count(Outcome.ONLY_CANDIDATE_DENIES);
        comparison.count(Outcome.ONLY_LIVE_DENIES);
        comparison.count(Outcome.ONLY_LIVE_DENIES);
        comparison.count(Outcome.ONLY_LIVE_DENIES);
        IntStream.range(0, 4).forEach(i -> comparison.count(Outcome.BOTH_ALLOW));
        sample(1);

        JsonArray cells = new JsonArray().add(id).add(4L).add(1L).add(3L).add(2L);
        assertThat(history.now().getJsonArray("candidates")).containsExactly(cells);
        assertThat(decisions(id)).isEqualTo("7+3");
        sample(2);

        assertThat(history.now().getJsonArray("candidates")).isEmpty();
        assertThat(history.candidates()).containsExactly(cells);
    }
}
