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
    private final long submittedAt;
    private final long timeoutNanos;
    private final Script script;
    private volatile boolean sent; // the last four are written under the lock of the Batcher
    private volatile long remainingWaitNanos;
    private long deadline;
    private boolean overdue;

    /**
     * Creates a pending request.
     *
     * @param slot the slot of all its keys; any one on a server without slots
     * @param awaited whether a thread blocks until it is complete, and no dependent stage exists
     * @param submittedAt the time of the call, by {@link Timer#nanos}, read under the lock of the Batcher
     * @param timeoutNanos how long it may take
     */
    PendingRequest(
            int slot, List<Request> requests, long maxWaitNanos, boolean awaited, long submittedAt, long timeoutNanos) {
        this.slot = slot;
        this.requests = requests;
        this.maxWaitNanos = maxWaitNanos;
        this.awaited = awaited;
        this.submittedAt = submittedAt;
        this.timeoutNanos = timeoutNanos;
        this.remainingWaitNanos = maxWaitNanos;
        this.deadline = submittedAt + timeoutNanos;
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

    /** Returns the longest wait from when it was sent: without the whole timeouts that it has waited for that. */
    @Override
    public long maxWaitNanos() {
        return remainingWaitNanos;
    }

    /** Fails it. Its dependent stages must not run on the thread that sends it, receives the answer, or keeps deadlines. */
    void fail(Throwable failure, Timer timer) {
        if (awaited) {
            completeExceptionally(failure);
        } else {
            timer.fail(this, failure);
        }
    }

    /** Whether it may wait for its permits. */
    boolean mayWait() {
        return maxWaitNanos > 0;
    }

    /** Whether it may wait, and costs so much that a script may leave it for the next one, so that later ones must not be sent before. */
    boolean mayBeLeft() {
        return mayWait() && hasSeveralLimits();
    }

    /**
     * Whether its time is over, or would be before the answer arrives if it was sent now. It may wait for the requests before it as
     * long as for its permits while the server answers; then the timeout is for the answer alone.
     *
     * @param leadNanos how long before the answer it must be sent
     * @param answering whether the server answers others
     */
    boolean isOverdue(long now, long leadNanos, boolean answering) {
        long late = now - deadline;
        return overdue || late >= (sent ? 0 : Math.min(maxWaitNanos - leadNanos, answering ? Long.MAX_VALUE : 0));
    }

    /** Records that it was overdue when its turn came: it is not sent any more. */
    void giveUp() {
        overdue = true;
    }

    /** Takes the time that it has waited to be sent from its wait for permits. */
    void prepare(long now) {
        long timeouts = waited(now) / timeoutNanos; // whole ones, so that equal requests stay equal
        remainingWaitNanos = Math.max(0, maxWaitNanos - timeouts * timeoutNanos);
    }

    /** Records that it is in a batch. */
    void sent(long now) {
        sent = true;
        deadline = submittedAt + timeoutNanos + Math.min(maxWaitNanos, waited(now));
    }

    /** Records that its answer was read: it has another timeout to complete, in case its thread is late. */
    void answered(long now) {
        deadline = now + timeoutNanos;
    }

    /** Returns how long it has waited to be sent. */
    private long waited(long now) {
        return now - submittedAt;
    }

    /** Whether it was in a batch. */
    boolean isSent() {
        return sent;
    }

    /** Returns the script that decides it. */
    Script script() {
        return script;
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
}
