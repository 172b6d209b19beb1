package dev.weir.testkit;

import dev.weir.Accounting.Method;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Status;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The promises of a {@link Decision} that its fields alone show, whatever was granted before. */
final class DecisionFields {
    private DecisionFields() {}

    /** Returns the promise that a decision breaks, or nothing. The limits are those of its requests, in their order. */
    static String broken(Decision decision, List<Limit> limits) {
        List<Status> statuses = decision.statuses();
        if (decision.degraded()) {
            return "decided by the store";
        }
        if (!limits.equals(statuses.stream().map(Status::limit).toList())) {
            return "statuses of all limits";
        }
        if (statuses.stream()
                .anyMatch(status -> status.remaining() > status.limit().maxPermitsPerRequest())) {
            return "no more remain than a limit has";
        }
        Status least = Collections.min(statuses, Comparator.comparingLong(Status::remaining));
        Status latest = Collections.max(statuses, Comparator.comparingLong(Status::retryAfterNanos));
        Status shown = decision.allowed() ? least : latest; // the first among equals
        if (!decision.limit().equals(shown.limit())
                || decision.resetAfterNanos() != shown.resetAfterNanos()
                || decision.remaining() != least.remaining()) {
            return "the most restrictive limit is shown";
        }
        boolean queues = counts(limits, Method.QUEUE); // the retry-after may be that of a request that waits
        if (latest.retryAfterNanos() > decision.retryAfterNanos() && !queues) {
            return "the latest retry-after of all limits";
        }
        long reset = statuses.stream().mapToLong(Status::resetAfterNanos).min().orElseThrow();
        boolean isUnused = reset < decision.waitNanos();
        return isUnused && !counts(limits, Method.NOTHING) ? "no reset before the start" : "";
    }

    private static boolean counts(List<Limit> limits, Method method) {
        return limits.stream().anyMatch(limit -> limit.accounting().method() == method);
    }
}
