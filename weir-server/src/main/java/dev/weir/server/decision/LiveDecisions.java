package dev.weir.server.decision;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.Comparison;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.LimitRow;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.RuleId;
import dev.weir.server.live.RuleRows;
import dev.weir.server.live.StoreHealth;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Records decisions by rule and limit, and has candidates decide on the same requests. A limit that had room for a request that was
 * denied is not counted, since it gave nothing; neither is a candidate asked if another rule denies the request. Thread-safe.
 */
public final class LiveDecisions {
    private final LiveRecorder recorder;
    private final StoreHealth health;
    private final Candidates candidates;
    private final ServerMetrics metrics;
    private final boolean policyCounts;
    private final boolean shadow;

    /**
     * Creates a recorder.
     *
     * @param metrics count what the rules of descriptors decide
     * @param policyCounts whether decisions without the store are by the use of a key, too
     * @param shadow whether no request is denied
     */
    public LiveDecisions(
            LiveRecorder recorder,
            StoreHealth health,
            Candidates candidates,
            ServerMetrics metrics,
            boolean policyCounts,
            boolean shadow) {
        this.recorder = recorder;
        this.health = health;
        this.candidates = candidates;
        this.metrics = metrics;
        this.policyCounts = policyCounts;
        this.shadow = shadow;
    }

    /** Returns the time at which a decision begins, to be passed on with it. */
    public long begin() {
        return health.begin();
    }

    /** Records a decision on requests by HTTP. */
    public void requests(long began, List<Request> requests, Decision decision) {
        health.decided(began, decision.degraded());
        recorder.request(decision.allowed() || shadow);
        if (decision.blocked()) {
            return;
        }
        List<RuleRows> rules = requests.stream()
                .map(request -> recorder.rule(RuleId.of(request)))
                .toList();
        if (isByUse(decision.degraded())) {
            count(rules, requests, decision);
        }
        if (rules.stream().anyMatch(rule -> rule.comparison() != null)) {
            compare(rules, requests, decision);
        }
    }

    /** Returns whether limits decided, by what keys have used: not a store that did not count. */
    private boolean isByUse(boolean degraded) {
        return policyCounts || !degraded;
    }

    private void count(List<RuleRows> rules, List<Request> requests, Decision decision) {
        int previous = -1;
        int limit = 0;
        for (Status status : decision.statuses()) {
            limit = status.request() == previous ? limit + 1 : 0;
            previous = status.request();
            LimitRow row = rules.get(previous).row(limit);
            String key = requests.get(previous).key();
            if (decision.allowed()) {
                recorder.allowed(row, key, status.remaining());
            } else if (status.retryAfterNanos() > 0) {
                recorder.denied(row, key, status.remaining());
            }
        }
    }

    /** Has candidates decide on the requests that no other one denies. */
    private void compare(List<RuleRows> rules, List<Request> requests, Decision decision) {
        Set<Integer> denying = decision.statuses().stream()
                .filter(status -> status.retryAfterNanos() > 0)
                .map(Status::request)
                .collect(Collectors.toSet());
        for (int i = 0; i < requests.size(); i++) {
            Comparison comparison = rules.get(i).comparison();
            boolean denied = denying.contains(i);
            if (comparison != null && denying.size() == (denied ? 1 : 0)) {
                Request request = requests.get(i);
                compare(comparison, request.key(), request.permits(), denied, decision.degraded());
            }
        }
    }

    /** Records a decision on descriptors. */
    void descriptors(long began, DescriptorDecision decision) {
        if (decision.descriptors().isEmpty()) {
            return;
        }
        health.decided(began, decision.degraded());
        recorder.request(!decision.denied() || shadow);
        for (Descriptor descriptor : decision.descriptors()) {
            if (decision.counts(descriptor)) {
                metrics.count(descriptor);
                if (!descriptor.blocked()) {
                    record(descriptor, decision);
                }
            }
        }
    }

    private void record(Descriptor descriptor, DescriptorDecision decision) {
        RuleRows rule = recorder.rule(RuleId.of(descriptor.rule()));
        if (isByUse(decision.degraded())) {
            count(rule.row(0), descriptor, decision.denied());
        }
        Comparison comparison = rule.comparison();
        if (comparison != null && (!decision.grantedNothing() || isDeniedByNoOther(descriptor, decision))) {
            compare(comparison, descriptor.key(), descriptor.hits(), descriptor.over(), decision.degraded());
        }
    }

    private void count(LimitRow row, Descriptor descriptor, boolean denied) {
        Status status = Objects.requireNonNull(descriptor.status(), "what is counted has a status");
        if (!descriptor.over() || (!denied && descriptor.is(Mode.QUOTA))) { // another quota allows the request
            recorder.allowed(row, descriptor.key(), status.remaining());
        } else if (denied && !descriptor.is(Mode.SHADOW)) {
            recorder.denied(row, descriptor.key(), status.remaining());
        } else {
            recorder.deniedInShadow(row, descriptor.key());
        }
    }

    /** Returns whether a request would be allowed if a descriptor that denies it did not. Rules in quota mode deny only together. */
    private static boolean isDeniedByNoOther(Descriptor descriptor, DescriptorDecision decision) {
        return decision.descriptors().stream()
                .noneMatch(other -> other != descriptor && other.is(Mode.LIVE) && other.over());
    }

    private void compare(Comparison comparison, String key, long permits, boolean denied, boolean degraded) {
        if (degraded) {
            candidates.count(comparison, key, Outcome.FAILED);
        } else {
            candidates.decide(comparison, key, permits, denied);
        }
    }
}
