package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rows of rules, over changes of the configuration. */
final class RuleTableTest {
    private static final int MOST_CONFIGURED = 400;
    private static final int MOST = 500;
    private static final Limits CANDIDATE = Limits.parse("1/1h");

    private final RuleTable table = new RuleTable();

    private static Rule configured(String path, int permits, @Nullable Limits candidate) {
        Limits limits = Limits.parse(permits + "/1m");
        RateLimit shown = RateLimit.getDefaultInstance();
        return new Rule("envoy", path, limits, false, shown, Set.of(), Mode.LIVE, candidate);
    }

    private static RuleId rule(String path, int permits) {
        return RuleId.of(configured(path, permits, null));
    }

    private static RuleId ofRequest(int permits) {
        return new RuleId("default", "default", Mode.LIVE, Limits.parse(permits + "/1m"), false, false);
    }

    private static List<Rule> configuration(int permits) {
        return IntStream.range(0, MOST_CONFIGURED)
                .mapToObj(i -> configured("edge.r" + i, permits, CANDIDATE))
                .toList();
    }

    private void assertAllCounted(List<Rule> configuration) {
        assertThat(configuration).allSatisfy(rule -> {
            RuleRows rows = table.get(RuleId.of(rule));
            assertThat(rows.row(0).rule.name()).isEqualTo(rule.path());
            assertThat(rows.comparison()).isNotNull();
        });
    }

    @Test
    void configure_allLimitsChanged_rulesKeepRowsAndCandidates() {
        table.configure(configuration(100));
        table.configure(configuration(200));

        assertAllCounted(configuration(200));
        assertThat(table.find(rule("edge.r0", 100))).isNull();
    }

    @Test
    void get_ruleThatIsNoLongerConfigured_isNotAddedAgain() {
        table.configure(configuration(100));
        table.configure(configuration(200));

        assertThat(table.get(rule("edge.r0", 100)).row(0).rule.name()).isEqualTo("others");
        assertThat(table.find(rule("edge.r0", 100))).isNull();
        assertThat(table.get(ofRequest(100)).row(0).rule.name()).isEqualTo("default");
    }

    @Test
    void configure_afterManyLimitsOfRequests_rulesHaveRows() {
        IntStream.range(0, MOST).forEach(i -> table.get(ofRequest(1 + i)));
        table.configure(configuration(100));

        assertAllCounted(configuration(100));
        assertThat(table.rows()).hasSizeLessThanOrEqualTo(MOST + 1); // with the row of all others
    }

    @Test
    void configure_sameRules_countsGoOn() {
        table.configure(configuration(100));
        RuleRows before = table.get(rule("edge.r7", 100));
        Comparison comparison = before.comparison();
        table.configure(configuration(100));

        assertThat(table.get(rule("edge.r7", 100))).isSameAs(before);
        assertThat(before.comparison()).isSameAs(comparison);
    }

    private List<String> limits() {
        return table.rows().stream().map(row -> row.text).toList();
    }

    @Test
    void get_moreLimitsOfRequestsThanThereIsRoomFor_shareARow() {
        Limits two = Limits.parse("1/1s", "1/1m");
        assertThat(table.get(new RuleId("default", "default", Mode.LIVE, two, false, false))
                        .rows())
                .hasSize(2);
        IntStream.range(2, MOST).forEach(i -> table.get(ofRequest(i)));
        RuleRows last = table.get(ofRequest(MOST - 1));

        assertThat(last.row(0).rule.name()).isEqualTo("default");
        assertThat(table.get(ofRequest(MOST)).row(0).rule.name()).isEqualTo("others");
        assertThat(table.rows()).hasSize(MOST + 1);
        assertThat(limits()).startsWith("sliding-log 1/1s", "sliding-log 1/1m", "sliding-log 2/1m");
    }

    @Test
    void get_ruleThatDeniesEverything_hasOneRow() {
        RateLimit zero = RateLimit.getDefaultInstance();
        Rule denying = Rule.limited(Rule.OVERRIDE, Limits.parse("1/1m"), zero, Set.of(), Mode.LIVE);

        table.get(RuleId.of(denying));

        assertThat(limits()).containsExactly("denies everything", "");
    }

    /** The rules that descriptors bring have the same name, and are not configured. */
    @Test
    void configure_policyIsNamedOverride_isCounted() {
        Limits limits = Limits.parse("1/1m");
        RuleId requested = RuleId.of(Request.of(Rule.OVERRIDE, limits, "a", 1));
        table.configure(List.of(Rule.ofPolicy(Rule.OVERRIDE, limits, null)));

        assertThat(table.find(requested)).isNotNull();
        table.rows().forEach(row -> row.sample(1));
        table.removeIdle(301);
        assertThat(table.find(requested)).isNotNull();
    }

    @Test
    void removeIdle_makesRoomForOtherRequests_butKeepsConfiguredRules() {
        table.configure(List.of(configured("edge.r", 1, null)));
        IntStream.range(1, MOST).forEach(i -> table.get(ofRequest(i)));
        assertThat(table.get(ofRequest(MOST)).row(0).rule.name()).isEqualTo("others");
        RuleRows used = table.get(ofRequest(7));
        table.rows().forEach(row -> row.sample(1));
        used.row(0).denied.increment();
        table.rows().forEach(row -> row.sample(2));
        int version = table.version();

        table.removeIdle(300);
        assertThat(table.rows()).hasSize(MOST + 1);
        assertThat(table.version()).isEqualTo(version);
        table.removeIdle(301);

        assertThat(limits()).containsExactly("sliding-log 1/1m", "sliding-log 7/1m", "");
        assertThat(table.version()).isNotEqualTo(version);
        assertThat(table.get(ofRequest(MOST)).row(0).rule.name()).isEqualTo("default");
        table.removeIdle(302);
        assertThat(used.row(0).isRetired()).isTrue();
    }

    @Test
    void configure_withoutTheCandidate_endsTheComparison() {
        table.configure(configuration(100));
        table.configure(List.of(configured("edge.r0", 100, null)));

        assertThat(table.comparisons()).isEmpty();
        assertThat(table.rows()).hasSize(2); // with the row of all others
    }

    @Test
    void configure_fewRules_keepsThoseOfRequests() {
        RuleRows ofRequest = table.get(ofRequest(5));
        table.configure(List.of(configured("edge.r0", 100, null)));

        assertThat(table.get(ofRequest(5))).isSameAs(ofRequest);
        assertThat(ofRequest.row(0).isRetired()).isFalse();
    }

    @Test
    void configure_moreRulesThanThereIsRoomFor_theFirstHaveRows() {
        List<Rule> many = new ArrayList<>(configuration(100));
        many.add(configured("edge.more", 100, null));

        table.configure(many);

        assertAllCounted(configuration(100));
        assertThat(table.get(rule("edge.more", 100)).row(0).rule.name()).isEqualTo("others");
        assertThat(table.rows()).hasSize(MOST_CONFIGURED + 1);
    }

    @Test
    void configure_noRoomForRequests_countsOfRulesGoOn() {
        table.configure(configuration(100).subList(0, 1));
        RuleRows before = table.get(rule("edge.r0", 100));
        IntStream.range(0, MOST).forEach(i -> table.get(ofRequest(1 + i)));

        table.configure(configuration(100));

        assertThat(table.get(rule("edge.r0", 100))).isSameAs(before);
        assertThat(before.row(0).isRetired()).isFalse();
        assertThat(table.find(ofRequest(1))).isNull();
    }
}
