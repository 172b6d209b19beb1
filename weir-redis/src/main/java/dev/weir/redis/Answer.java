package dev.weir.redis;

import dev.weir.Decision;

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
    boolean refused() {
        return !refusal.isEmpty();
    }
}
