package dev.weir.redis;

import dev.weir.Request;
import java.util.List;

/** One or more requests that a script decides together: it grants all of them or none. */
interface JointRequest {
    /** Returns the requests. In one group, joint requests have the same limiters, limits and keys in the same order. */
    List<Request> requests();

    /** Returns the longest wait in nanoseconds. */
    long maxWaitNanos();

    /** Returns requests to be decided together, without a future. */
    static JointRequest of(List<Request> requests, long maxWaitNanos) {
        record Plain(List<Request> requests, long maxWaitNanos) implements JointRequest {}
        return new Plain(requests, maxWaitNanos);
    }

    /** Whether both, which are for the same keys, are for the same permits and wait. */
    default boolean equalTo(JointRequest other) {
        boolean equal = maxWaitNanos() == other.maxWaitNanos();
        for (int i = 0; equal && i < requests().size(); i++) {
            equal = requests().get(i).permits() == other.requests().get(i).permits();
        }
        return equal;
    }

    /** Whether there is more than one limit in all; then the decision has the status of each. */
    default boolean hasSeveralLimits() {
        return requests().size() > 1 || requests().get(0).limits().list().size() > 1;
    }
}
