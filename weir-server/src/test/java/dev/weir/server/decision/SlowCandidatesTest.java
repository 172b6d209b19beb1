package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.server.config.Rule;
import dev.weir.server.live.Comparison;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.RuleId;
import dev.weir.server.net.ContentCoding;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Candidates whose store answers late, or fails. */
final class SlowCandidatesTest {
    private static final Limits LIMITS = Limits.parse("1/1h");
    private static final Rule API = Rule.ofPolicy("api", LIMITS, LIMITS);

    private final MemoryStore store = MemoryStore.create();
    private final ServerMetrics metrics = new ServerMetrics();
    private final LiveRecorder recorder = new LiveRecorder();
    private final CompletableFuture<Void> answer = new CompletableFuture<>();
    private final Candidates candidates = new Candidates(waiting(store, answer), recorder, metrics);
    private final Comparison comparison = comparison();

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

    private Comparison comparison() {
        recorder.configure(List.of(API));
        metrics.retain(List.of(API), Set.of());
        return Objects.requireNonNull(recorder.rule(RuleId.of(API)).comparison());
    }

    private void decide(String key) {
        candidates.decide(comparison, key, 1, false);
    }

    @AfterEach
    void close() {
        metrics.close();
        store.close();
    }

    @Test
    void store_isSlow_requestsAboveABoundAreLeftOut() {
        for (int i = 0; i < 1_002; i++) {
            decide("key " + i);
        }
        assertThat(comparison.total(Outcome.SKIPPED)).isEqualTo(2);

        answer.complete(null);
        decide("key");

        assertThat(comparison.total(Outcome.BOTH_ALLOW)).isEqualTo(1_001);
        assertThat(comparison.total(Outcome.SKIPPED)).isEqualTo(2);
        assertThat(metrics.scrape(ContentCoding.IDENTITY).join().toString())
                .contains("weir_candidate_decisions_total{outcome=\"skipped\",rule=\"api\"} 2.0");
    }

    @Test
    void rule_isRemovedMeanwhile_isInNoMetric() {
        decide("key");
        metrics.retain(List.of(), Set.of());

        answer.complete(null);

        assertThat(comparison.total(Outcome.BOTH_ALLOW)).isEqualTo(1);
        assertThat(metrics.scrape(ContentCoding.IDENTITY).join().toString()).doesNotContain("weir_candidate_decisions");
    }

    /** A failure is no denial by the candidate. */
    @Test
    void store_fails_isCountedAsAFailure() {
        decide("key");
        answer.completeExceptionally(new StoreException("expected by a test"));

        assertThat(comparison.total(Outcome.FAILED)).isEqualTo(1);
        assertThat(comparison.total(Outcome.ONLY_CANDIDATE_DENIES)).isZero();
        assertThat(metrics.scrape(ContentCoding.IDENTITY).join().toString())
                .contains("weir_candidate_decisions_total{outcome=\"failed\",rule=\"api\"} 1.0")
                .doesNotContain("only_candidate_denies");
    }
}
