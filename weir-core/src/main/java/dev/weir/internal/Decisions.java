package dev.weir.internal;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Request;
import dev.weir.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Decisions that no single atomic step makes. */
public final class Decisions {
    private Decisions() {}

    /** Returns a degraded decision that counts nothing. A denial may be retried after the shortest window. */
    public static Decision uncounted(List<Request> requests, boolean allow, long timeNanos) {
        Limit first = requests.get(0).limits().list().get(0);
        long retry = allow ? 0 : shortestWindowNanos(requests.get(0));
        Decision decision = allow
                ? Decision.allowed(first, 0, 0, 0, timeNanos)
                : Decision.denied(first, 0, retry, retry, timeNanos);
        if (requests.size() == 1 && requests.get(0).limits().list().size() == 1) {
            return decision.asDegraded();
        }
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            for (Limit limit : requests.get(i).limits().list()) {
                statuses.add(new Status(i, limit, 0, retry, retry));
            }
        }
        return decision.withStatuses(statuses).asDegraded();
    }

    /** Returns the shortest window of a request's limits. */
    public static long shortestWindowNanos(Request request) {
        return request.limits().list().stream()
                .mapToLong(Limit::windowNanos)
                .min()
                .orElseThrow();
    }

    /**
     * Combines decisions on parts of a joint request: allowed if all are.
     *
     * @param parts the decisions, at least one
     * @param positions for each part, the positions of its requests in the joint request
     */
    public static Decision combine(List<Decision> parts, List<List<Integer>> positions) {
        Decision shown = parts.get(0);
        long remaining = Long.MAX_VALUE;
        boolean degraded = false;
        boolean blocked = false;
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Decision part = parts.get(i);
            shown = isMoreRestrictive(part, shown) ? part : shown;
            remaining = Math.min(remaining, part.remaining());
            degraded |= part.degraded();
            blocked |= part.blocked();
            for (Status status : part.statuses()) {
                int position = positions.get(i).get(status.request());
                statuses.add(new Status(
                        position,
                        status.limit(),
                        status.remaining(),
                        status.retryAfterNanos(),
                        status.resetAfterNanos()));
            }
        }
        statuses.sort(Comparator.comparingInt(Status::request));
        long reset = shown.resetAfterNanos();
        Decision combined = shown.allowed()
                ? Decision.allowed(shown.limit(), remaining, shown.waitNanos(), reset, shown.timeNanos())
                : Decision.denied(shown.limit(), remaining, shown.retryAfterNanos(), reset, shown.timeNanos());
        combined = combined.withStatuses(statuses);
        combined = degraded ? combined.asDegraded() : combined;
        return blocked && !combined.allowed() ? combined.asBlocked() : combined;
    }

    /**
     * Returns what a joint decision says of one of its requests, by the most restrictive limit of that. It is empty if the request
     * had room, and was denied because another one was.
     *
     * @param joint the decision
     * @param statuses its statuses
     * @param position the position of the request
     */
    public static Optional<Decision> part(Decision joint, List<Status> statuses, int position) {
        List<Status> own = statuses.stream()
                .filter(status -> status.request() == position)
                .map(status -> new Status(
                        0, status.limit(), status.remaining(), status.retryAfterNanos(), status.resetAfterNanos()))
                .toList();
        Status least = Collections.min(own, Comparator.comparingLong(Status::remaining));
        Status latest = Collections.max(own, Comparator.comparingLong(Status::retryAfterNanos));
        Status shown = latest.retryAfterNanos() > 0 ? latest : least;
        if (!joint.allowed() && latest.retryAfterNanos() == 0) {
            return Optional.empty();
        }
        long reset = shown.resetAfterNanos();
        Decision part = joint.allowed()
                ? Decision.allowed(shown.limit(), least.remaining(), joint.waitNanos(), reset, joint.timeNanos())
                : Decision.denied(shown.limit(), least.remaining(), latest.retryAfterNanos(), reset, joint.timeNanos());
        part = part.withStatuses(own);
        part = joint.degraded() ? part.asDegraded() : part;
        return Optional.of(joint.blocked() ? part.asBlocked() : part);
    }

    /** Of two denials the later one, else the denial, else the one with fewer remaining permits. */
    private static boolean isMoreRestrictive(Decision one, Decision other) {
        if (one.allowed() != other.allowed()) {
            return other.allowed();
        }
        return one.allowed() ? one.remaining() < other.remaining() : one.retryAfterNanos() > other.retryAfterNanos();
    }
}
