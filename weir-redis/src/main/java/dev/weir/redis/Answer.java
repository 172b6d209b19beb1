package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;

/**
 * The server's answer to one {@link JointRequest}.
 *
 * @param decision the decision; without meaning if there is none
 * @param cacheableNanos how long a denial may be cached: at most until the block of its key ends
 * @param handle identifies the reservation in a refund; empty for a denial, for a peek, and if no limit counts
 * @param refusal why the script failed; empty if it decided
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Answer(Decision decision, long cacheableNanos, byte[] handle, String refusal) {
    /** The handle if nothing was reserved. */
    static final byte[] NO_HANDLE = {};

    private static final Decision NONE =
            Decision.denied(Limit.unlimited(), 0, 0, 0, 0).asDegraded();

    /** The answer to a request that the script did not decide, because it had worked for long enough; to be sent again. */
    static final Answer UNDECIDED = new Answer(NONE, 0, NO_HANDLE, "");

    /** Returns the answer to a request for which the script failed. */
    static Answer refused(String why) {
        return new Answer(NONE, 0, NO_HANDLE, why);
    }

    /** Whether the request was not decided and has to be sent again. */
    @SuppressWarnings("ReferenceEquality") // there is one
    boolean isUndecided() {
        return this == UNDECIDED;
    }

    boolean isRefused() {
        return !refusal.isEmpty();
    }
}
