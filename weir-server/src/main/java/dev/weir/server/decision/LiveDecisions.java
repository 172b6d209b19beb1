package dev.weir.server.decision;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.Comparison;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.LimitRow;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.RuleId;
import dev.weir.server.live.StoreHealth;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Records decisions by rule and limit, and has candidates decide on the same requests. A limit that had room for a request that was
 * denied is not counted, since it gave nothing; neither is a candidate asked if another rule denies the request. Thread-safe.
 */
public final class LiveDecisions {
    private final LiveRecorder recorder;
    private final StoreHealth health;
    private final Candidates candidates;
    private final LiveConfiguration configuration;
    private final boolean policyCounts;
    private final boolean shadow;

    /**
     * Creates a recorder.
     *
     * @param policyCounts whether decisions without the store are by the use of a key, too
     * @param shadow whether no request is denied
     */
    public LiveDecisions(
            LiveRecorder recorder,
            StoreHealth health,
            Candidates candidates,
            LiveConfiguration configuration,
            boolean policyCounts,
            boolean shadow) {
        this.recorder = recorder;
        this.health = health;
        this.candidates = candidates;
        this.configuration = configuration;
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
        if (isByUse(decision.blocked(), decision.degraded())) {
            count(requests, decision);
        }
        Map<String, Limits> tried = configuration.current().candidates();
        if (!tried.isEmpty() && !decision.blocked()) {
            compare(tried, requests, decision.statuses(), decision.degraded());
        }
    }

    private void count(List<Request> requests, Decision decision) {
        int previous = -1;
        int limit = 0;
        for (Status status : decision.statuses()) {
            limit = status.request() == previous ? limit + 1 : 0;
            previous = status.request();
            Request request = requests.get(previous);
            LimitRow row = recorder.rule(RuleId.of(request)).row(limit);
            if (decision.allowed()) {
                recorder.allowed(row, request.key(), status.remaining());
            } else if (status.retryAfterNanos() > 0) {
                recorder.denied(row, request.key(), status.remaining());
            }
        }
    }

    /** Returns whether limits decided, by what keys have used: not a block, and not a store that did not count. */
    private boolean isByUse(boolean blocked, boolean degraded) {
        return !blocked && (policyCounts || !degraded);
    }

    private void compare(Map<String, Limits> tried, List<Request> requests, List<Status> statuses, boolean degraded) {
        long denying = statuses.stream()
                .filter(status -> status.retryAfterNanos() > 0)
                .mapToInt(Status::request)
                .distinct()
                .count();
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            Limits candidate = tried.get(request.limiter());
            if (candidate != null) {
                int position = i;
                boolean denied = statuses.stream()
                        .anyMatch(status -> status.request() == position && status.retryAfterNanos() > 0);
                if (denying == (denied ? 1 : 0)) {
                    compare(RuleId.of(request), candidate, request.key(), request.permits(), denied, degraded);
                }
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
                if (isByUse(descriptor.blocked(), decision.degraded())) {
                    count(descriptor, decision.denied());
                }
                compare(descriptor, decision);
            }
        }
    }

    private void count(Descriptor descriptor, boolean denied) {
        LimitRow row = recorder.rule(RuleId.of(descriptor.rule())).row(0);
        Status status = Objects.requireNonNull(descriptor.status(), "what is counted has a status");
        if (!descriptor.over()) {
            recorder.allowed(row, descriptor.key(), status.remaining());
        } else if (denied && !descriptor.is(Mode.SHADOW)) {
            recorder.denied(row, descriptor.key(), status.remaining());
        } else {
            recorder.deniedInShadow(row, descriptor.key());
        }
    }

    private void compare(Descriptor descriptor, DescriptorDecision decision) {
        Limits candidate = descriptor.rule().candidate();
        if (candidate == null || descriptor.blocked()) {
            return;
        }
        if (!decision.grantedNothing() || isOnlyDenial(descriptor, decision)) {
            compare(
                    RuleId.of(descriptor.rule()),
                    candidate,
                    descriptor.key(),
                    descriptor.hits(),
                    descriptor.over(),
                    decision.degraded());
        }
    }

    private static boolean isOnlyDenial(Descriptor descriptor, DescriptorDecision decision) {
        return descriptor.is(Mode.LIVE)
                && decision.descriptors().stream()
                        .noneMatch(other -> other != descriptor && other.is(Mode.LIVE) && other.over());
    }

    private void compare(RuleId id, Limits candidate, String key, long permits, boolean denied, boolean degraded) {
        Comparison comparison = recorder.comparison(recorder.rule(id), candidate);
        if (comparison == null) {
            return;
        } else if (degraded) {
            candidates.count(comparison, id, key, Outcome.FAILED);
        } else {
            candidates.decide(comparison, id, key, permits, denied);
        }
    }
}
