package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;

/**
 * The server's answer to one {@link JointRequest}.
 *
 * @param decision the decision; without meaning if the script failed
 * @param cacheableNanos how long a denial may be cached: at most until the block of its key ends
 * @param handle identifies the reservation in a refund; empty for a denial and for a peek
 * @param refusal why the script failed; empty if it decided
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Answer(Decision decision, long cacheableNanos, byte[] handle, String refusal) {
    private static final String NOT_DECIDED = "not decided";

    /** The answer to a request that the script did not decide, because it had worked for long enough; to be sent again. */
    static final Answer UNDECIDED =
            new Answer(Decision.denied(Limit.unlimited(), 0, 0, 0, 0).asDegraded(), 0, new byte[0], NOT_DECIDED);

    boolean isUndecided() {
        return refusal.equals(NOT_DECIDED);
    }

    boolean refused() {
        return !refusal.isEmpty() && !isUndecided();
    }
}
