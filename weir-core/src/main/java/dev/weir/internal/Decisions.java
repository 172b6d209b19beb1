package dev.weir.internal;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limit.Unlimited;
import dev.weir.Request;
import dev.weir.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Decisions that no single atomic step makes. */
public final class Decisions {
    private Decisions() {}

    /**
     * Returns a degraded decision that counts nothing. A denial may be retried after the shortest window, or after that of an unlimited
     * limit, which means nothing, if there is no other.
     */
    public static Decision uncounted(List<Request> requests, boolean allow, long timeNanos) {
        LongStream windows = requests.stream()
                .flatMap(request -> request.limits().list().stream())
                .filter(limit -> !(limit instanceof Unlimited))
                .mapToLong(Limit::windowNanos);
        long retry = allow ? 0 : windows.min().orElse(Limit.unlimited().windowNanos());
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            for (Limit limit : requests.get(i).limits().list()) {
                statuses.add(new Status(i, limit, 0, retry, retry));
            }
        }
        return Decision.of(statuses, allow, retry, timeNanos).asDegraded();
    }

    /**
     * Combines decisions on parts of a joint request: allowed if all are.
     *
     * @param parts the decisions, at least one
     * @param positions for each part, the positions of its requests in the joint request
     */
    public static Decision combine(List<Decision> parts, List<List<Integer>> positions) {
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            for (Status status : parts.get(i).statuses()) {
                statuses.add(at(positions.get(i).get(status.request()), status));
            }
        }
        statuses.sort(Comparator.comparingInt(Status::request));
        boolean allowed = parts.stream().allMatch(Decision::allowed);
        long delay = parts.stream()
                .mapToLong(part -> allowed ? part.waitNanos() : part.retryAfterNanos())
                .max()
                .orElseThrow();
        boolean degraded = parts.stream().anyMatch(Decision::degraded);
        boolean blocked = parts.stream().anyMatch(Decision::blocked);
        return marked(Decision.of(statuses, allowed, delay, parts.get(0).timeNanos()), degraded, blocked);
    }

    /**
     * Returns what a joint decision says of one of its requests. It is empty if the request had room, and was denied because
     * another one was.
     */
    public static Optional<Decision> part(Decision joint, List<Status> statuses, int position) {
        List<Status> own = statuses.stream()
                .filter(status -> status.request() == position)
                .map(status -> at(0, status))
                .toList();
        long retry = own.stream().mapToLong(Status::retryAfterNanos).max().orElseThrow();
        if (!joint.allowed() && retry == 0) {
            return Optional.empty();
        }
        Decision part =
                Decision.of(own, joint.allowed(), joint.allowed() ? joint.waitNanos() : retry, joint.timeNanos());
        return Optional.of(marked(part, joint.degraded(), joint.blocked()));
    }

    private static Status at(int request, Status status) {
        return new Status(
                request, status.limit(), status.remaining(), status.retryAfterNanos(), status.resetAfterNanos());
    }

    private static Decision marked(Decision decision, boolean degraded, boolean blocked) {
        Decision marked = degraded ? decision.asDegraded() : decision;
        return blocked ? marked.asBlocked() : marked;
    }
}
