package dev.weir.server;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.RuleRows;
import dev.weir.server.live.StoreHealth;
import java.util.List;
import java.util.Objects;

/**
 * Records decisions by rule and limit. A limit that had room for a request that was denied is not counted, since it gave nothing.
 * Thread-safe.
 */
final class LiveDecisions {
    private final LiveRecorder recorder;
    private final StoreHealth health;
    private final boolean shadow;

    /**
     * Creates a recorder.
     *
     * @param shadow whether no request is denied
     */
    LiveDecisions(LiveRecorder recorder, StoreHealth health, boolean shadow) {
        this.recorder = recorder;
        this.health = health;
        this.shadow = shadow;
    }

    /** Returns the time at which a decision begins, to be passed on with it. */
    long begin() {
        return health.begin();
    }

    /** Records a decision on requests by HTTP. */
    void requests(long began, List<Request> requests, Decision decision) {
        health.decided(began, decision.degraded());
        recorder.request(decision.allowed() || shadow);
        int previous = -1;
        int limit = 0;
        for (Status status : decision.statuses()) {
            limit = status.request() == previous ? limit + 1 : 0;
            previous = status.request();
            Request request = requests.get(previous);
            RuleRows rule = recorder.rule(RuleIds.of(request));
            if (decision.allowed()) {
                recorder.allowed(rule, limit, request.key(), status.remaining());
            } else if (denies(decision, requests, status)) {
                recorder.denied(rule, limit, request.key(), retryAfterNanos(decision, status));
            }
        }
    }

    /** A block denies by no limit; it is counted at those of the only request, else it is not known whose it is. */
    private static boolean denies(Decision decision, List<Request> requests, Status status) {
        return status.retryAfterNanos() > 0 || (decision.blocked() && requests.size() == 1);
    }

    private static long retryAfterNanos(Decision decision, Status status) {
        return decision.blocked() ? decision.retryAfterNanos() : status.retryAfterNanos();
    }

    /**
     * Records a decision on descriptors.
     *
     * @param separately whether each was decided by itself
     */
    void descriptors(long began, List<Descriptor> descriptors, DescriptorDecision decision, boolean separately) {
        if (descriptors.isEmpty()) {
            return;
        }
        health.decided(began, decision.degraded());
        recorder.request(!decision.denied() || shadow);
        for (Descriptor descriptor : descriptors) {
            if (descriptor.counted()) {
                RuleRows rule = recorder.rule(RuleIds.of(descriptor.rule()));
                if (descriptor.over()) {
                    recorder.denied(rule, 0, descriptor.key(), descriptor.retryAfterNanos());
                } else if (!decision.denied() || separately) {
                    Status status = Objects.requireNonNull(descriptor.status(), "what is counted has a status");
                    recorder.allowed(rule, 0, descriptor.key(), status.remaining());
                }
            }
        }
    }
}
