package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.server.live.Comparison;
import dev.weir.server.live.ConfiguredRule;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.RuleId;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Candidates whose store does not answer. */
final class SlowCandidatesTest {
    /** Returns a store that answers only when the future completes. */
    private static Store waiting(MemoryStore store, CompletableFuture<Void> answer) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> method.getName().equals("reserveAsync")
                        ? answer.thenCompose(now -> store.reserveAsync(requests(arguments[0]), 0))
                        : method.invoke(store, arguments));
    }

    private static List<Request> requests(Object argument) {
        return ((List<?>) argument).stream().map(Request.class::cast).toList();
    }

    @Test
    void store_isSlow_requestsAboveABoundAreLeftOut() {
        Limits limits = Limits.parse("1/1h");
        RuleId api = new RuleId("api", "api", "live", limits, false, true);
        LiveRecorder recorder = new LiveRecorder();
        recorder.configure(List.of(new ConfiguredRule(api, limits)));
        Comparison comparison = recorder.comparison(recorder.rule(api), limits);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        try (MemoryStore store = MemoryStore.create();
                ServerMetrics metrics = new ServerMetrics()) {
            Candidates candidates = new Candidates(waiting(store, answer), recorder, metrics);
            for (int i = 0; i < 1_002; i++) {
                candidates.decide(comparison, "api", "api", limits, "key " + i, 1, false);
            }
            assertThat(comparison.counts().skipped()).isEqualTo(2);

            answer.complete(null);
            candidates.decide(comparison, "api", "api", limits, "key", 1, false);

            assertThat(comparison.counts().bothAllow()).isEqualTo(1_001);
            assertThat(comparison.counts().skipped()).isEqualTo(2);
            assertThat(metrics.scrape().join())
                    .contains("weir_candidate_decisions_total{outcome=\"skipped\",rule=\"api\"} 2.0");
        }
    }
}
