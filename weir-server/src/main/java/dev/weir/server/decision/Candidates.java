package dev.weir.server.decision;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.server.config.KeyText;
import dev.weir.server.config.ReservedNames;
import dev.weir.server.live.Comparison;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.LiveRecorder;
import dev.weir.store.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides for candidates, the limits that are tried beside live ones, after these have decided. A candidate has state of its own
 * and changes no answer. At most 1,000 requests wait for its store; more are left out and counted. Thread-safe.
 */
public final class Candidates {
    private static final int MAX_WAITING = 1_000;

    private final Store store;
    private final RateLimiter limiter;
    private final LiveRecorder recorder;
    private final ServerMetrics metrics;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Creates candidates.
     *
     * @param store their store; in memory not that of live limits, whose keys must find room as if there were no candidates
     */
    public Candidates(Store store, LiveRecorder recorder, ServerMetrics metrics) {
        this.store = store;
        this.recorder = recorder;
        this.metrics = metrics;
        this.limiter = RateLimiter.builder()
                .name(ReservedNames.CANDIDATE)
                .limit(Limit.unlimited())
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .executor(Runnable::run)
                .build();
    }

    public Store store() {
        return store;
    }

    /** Returns what a candidate is asked in place of a live limiter. */
    public Request request(String live, Limits candidate, String key, long permits) {
        return limiter.request(KeyText.joined(live, key), permits, candidate);
    }

    /**
     * Decides on a request on which the live limits have decided, and compares.
     *
     * @param comparison that of a rule with its candidate
     * @param key the key of the live limiter
     */
    void decide(Comparison comparison, String key, long permits, boolean liveDenies) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            count(comparison, key, Outcome.SKIPPED);
            return;
        }
        Request request = request(comparison.rule().limiter(), comparison.candidate(), key, permits);
        CompletableFuture<Decision> unused = RateLimiter.tryAcquireAllAsync(request)
                .whenComplete((decision, failure) -> {
                    waiting.decrementAndGet();
                    boolean failed = decision == null || decision.degraded();
                    count(comparison, key, failed ? Outcome.FAILED : Outcome.of(liveDenies, !decision.allowed()));
                });
    }

    /** Counts a request. */
    void count(Comparison comparison, String key, Outcome outcome) {
        recorder.compared(comparison, key, outcome);
        metrics.compared(comparison.rule().name(), outcome);
    }
}
