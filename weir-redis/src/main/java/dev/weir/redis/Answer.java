package dev.weir.redis;

import dev.weir.Decision;

/**
 * What the server answered to one {@link Ask}.
 *
 * @param decision the decision; none that means anything if it was refused
 * @param nowMicros the time of the first claim's key, so that what is booked is booked at that time and the wait
 * @param handle what gives the booking back; empty of a denial and of a look
 * @param refusal why the server did not decide; empty if it did
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Answer(Decision decision, long nowMicros, byte[] handle, String refusal) {
    boolean refused() {
        return !refusal.isEmpty();
    }
}
