package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;

/**
 * A cached denial of one permit by the only limit of a key, with nothing remaining. Until {@code retryAt}, and while nothing
 * changes the key's state, each request for one permit gets the same answer, without a lock and without a write. Immutable.
 *
 * @param retryAt when one permit fits
 * @param resetAt when the limit is as if the key had never been used
 */
record Denial(Limits limits, Limit limit, long retryAt, long resetAt) {

    /** Whether a request for one permit under these limits is denied by this. */
    boolean appliesTo(Limits requested, long reading) {
        return requested.equals(limits) && reading - retryAt < 0;
    }

    /** The answer to a request at this reading. */
    Decision decision(long reading) {
        return Decision.denied(limit, 0, retryAt - reading, resetAt - reading, reading);
    }
}
