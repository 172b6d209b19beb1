package dev.weir.redis;

import dev.weir.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The grants of a batch for which nobody waits. Those that were granted together are refunded together. Not thread-safe. */
final class LateGrants {
    private final RedisReservation.Refunds refunds;
    private final ArrayDeque<Grant> grants = new ArrayDeque<>();

    /** Grants with one handle: what they are for, and the permits of each request in total. */
    private record Grant(List<Request> requests, Answer answer, List<Long> permits) {}

    LateGrants(RedisReservation.Refunds refunds) {
        this.refunds = refunds;
    }

    /**
     * Adds the answer to requests. Has no effect if it has no handle: then they were denied, or have no limit that counts. Answers are
     * added in the order of the batch.
     */
    @SuppressWarnings("ReferenceEquality") // the handle of one entry of the reply
    void add(List<Request> requests, Answer answer) {
        if (answer.handle().length == 0) {
            return;
        }
        Grant latest = grants.peekLast();
        if (latest == null || latest.answer().handle() != answer.handle()) {
            latest = new Grant(requests, answer, new ArrayList<>(Collections.nCopies(requests.size(), 0L)));
            grants.add(latest);
        }
        for (int i = 0; i < requests.size(); i++) {
            latest.permits().set(i, latest.permits().get(i) + requests.get(i).permits());
        }
    }

    /** Refunds all grants, without waiting. */
    void refund() {
        for (Grant grant : grants) {
            refunds.refund(grant.requests(), grant.permits(), grant.answer().handle(), true);
        }
    }
}
