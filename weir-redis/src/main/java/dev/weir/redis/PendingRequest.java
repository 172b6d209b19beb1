package dev.weir.redis;

import dev.weir.Request;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A request that waits for its script, or several that are decided together: the future that the caller gets. Completing it
 * from outside abandons it; its permits are then refunded when the answer arrives.
 */
final class PendingRequest extends CompletableFuture<StoreReservation> implements JointRequest {
    private final int slot;
    private final List<Request> requests;
    private final long maxWaitNanos;
    private final boolean awaited;
    private final long deadline;
    private final Script script;
    private volatile boolean sent; // written under the lock of the Batcher

    /**
     * Creates a pending request.
     *
     * @param slot the slot of all its keys; any one on a server without slots
     * @param awaited whether a thread blocks until it is complete, and no dependent stage exists
     * @param deadline when it fails if there is no answer, by {@link System#nanoTime}
     */
    PendingRequest(int slot, List<Request> requests, long maxWaitNanos, boolean awaited, long deadline) {
        this.slot = slot;
        this.requests = requests;
        this.maxWaitNanos = maxWaitNanos;
        this.awaited = awaited;
        this.deadline = deadline;
        this.script = Script.deciding(requests);
    }

    int slot() {
        return slot;
    }

    @Override
    public List<Request> requests() {
        return requests;
    }

    /** Returns the key of the first request. */
    KeyId firstKey() {
        return KeyId.of(requests.get(0));
    }

    @Override
    public long maxWaitNanos() {
        return maxWaitNanos;
    }

    /** Whether a thread blocks until it is complete, so that no code of users runs when it completes. */
    boolean isAwaited() {
        return awaited;
    }

    /**
     * Whether the deadline has passed, or it would before the answer arrives if the request was sent now.
     *
     * @param leadNanos how long before the deadline it must be sent
     */
    boolean isOverdue(long now, long leadNanos) {
        return now - deadline >= (sent ? 0 : -leadNanos);
    }

    /** Records that it is in a batch, so that it may wait for the answer until its deadline. */
    void sent() {
        sent = true;
    }

    /** Whether it was in a batch. */
    boolean isSent() {
        return sent;
    }

    /** Returns the script that decides it. */
    Script script() {
        return script;
    }

    /** Whether both can be decided in one run of a script: either single requests or joint ones, of one family of limits. */
    boolean sharesScriptsWith(PendingRequest other) {
        return script == other.script && (requests.size() > 1) == (other.requests.size() > 1);
    }

    /** Whether both are for the same keys under the same limits. */
    boolean hasKeysOf(PendingRequest other) {
        if (requests.size() != other.requests.size()) {
            return false;
        }
        for (int i = 0; i < requests.size(); i++) {
            Request mine = requests.get(i);
            Request its = other.requests.get(i);
            if (!mine.key().equals(its.key())
                    || !mine.limiter().equals(its.limiter())
                    || !mine.limits().equals(its.limits())) {
                return false;
            }
        }
        return true;
    }

    /** Whether both, which are for the same keys, are for the same permits and wait. */
    boolean equalTo(PendingRequest other) {
        boolean equal = maxWaitNanos == other.maxWaitNanos;
        for (int i = 0; equal && i < requests.size(); i++) {
            equal = requests.get(i).permits() == other.requests.get(i).permits();
        }
        return equal;
    }
}
