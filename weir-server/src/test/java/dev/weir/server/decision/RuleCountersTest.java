package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.net.ContentCoding;
import dev.weir.store.MemoryStore;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

    private static void scrape(ServerMetrics metrics) {
        CompletableFuture<Buffer> unused = metrics.scrape(ContentCoding.IDENTITY);
    }

    private static String text(ServerMetrics metrics) {
        return metrics.scrape(ContentCoding.IDENTITY).join().toString();
    }

    @Test
    void countersAreRemoved_takesLong_scrapeDoesNotWait() {
        try (ServerMetrics metrics = new ServerMetrics()) {
            metrics.limiters().storeFull("former", "key");
            Set<String> slow = new AbstractSet<>() {
                @Override
                public boolean contains(Object name) {
                    assertThat(CompletableFuture.runAsync(() -> scrape(metrics)))
                            .succeedsWithin(Duration.ofSeconds(30));
                    return false;
                }

                @Override
                public Iterator<String> iterator() {
                    return Collections.emptyIterator();
                }

                @Override
                public int size() {
                    return 0;
                }
            };

            metrics.retain(List.of(), slow);
        }
    }

    @Test
    void decision_beforeTheConfigurationWithItsRuleIsInForce_isCounted() {
        try (MemoryStore store = MemoryStore.create();
                ServerMetrics metrics = new ServerMetrics()) {
            metrics.retain(List.of(RULE), Set.of());
            metrics.add(List.of());
            metrics.count(decided(store));

            assertThat(text(metrics)).contains(ONCE);
        }
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
