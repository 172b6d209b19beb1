package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.net.ContentCoding;
import dev.weir.store.MemoryStore;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decisions that end before or after their rule is removed from the configuration. */
final class RuleCountersTest {
    private static final RateLimit SHOWN =
            RateLimit.newBuilder().setRequestsPerUnit(3).build();
    private static final Rule RULE = Rule.limited("edge.path", Limits.parse("3/1d"), SHOWN, Set.of(), Mode.LIVE);
    private static final String ONCE = "weir_rule_decisions_total{outcome=\"allowed\",rule=\"edge.path\"} 1.0";

    private static Descriptor decided(MemoryStore store) {
        Limiters limiters = new Limiters(store, null);
        Descriptor descriptor = new Descriptor(RULE, "edge,path=/", 1);
        descriptor.decided(RateLimiter.tryAcquireAll(limiters.request(descriptor)), 0);
        return descriptor;
    }

    private static String text(ServerMetrics metrics) {
        return metrics.scrape(ContentCoding.IDENTITY).join().toString();
    }

    @Test
    void decision_endsAfterItsRuleIsRemoved_isInNoMetric() {
        try (MemoryStore store = MemoryStore.create();
                ServerMetrics metrics = new ServerMetrics()) {
            metrics.retain(List.of(RULE), Set.of());
            metrics.count(decided(store));
            assertThat(text(metrics)).contains(ONCE);
            metrics.retain(List.of(), Set.of());

            metrics.count(decided(store));
            assertThat(text(metrics)).doesNotContain("edge.path");

            metrics.retain(List.of(RULE), Set.of());
            metrics.count(decided(store));
            assertThat(text(metrics)).as("of the rule that is back").contains(ONCE);
        }
    }
}
