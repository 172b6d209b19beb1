package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;

/**
 * A denial that stands: of one permit, with nothing remaining, until the instant at which one fits. Until then, and while
 * nobody changes what is remembered, each request of one permit gets the same answer, without a lock and without a write.
 * Immutable.
 *
 * @param madeAt the store's time when it was decided
 * @param retryAt when one permit fits
 * @param resetAt when the limit is as if the key had never been seen
 */
record Denial(Limits limits, Limit limit, long madeAt, long retryAt, long resetAt) {

    /** Whether a request for one permit is denied by this; not if the clock has stepped back since. */
    boolean stands(Limits asked, long reading, StoreClock clock) {
        return asked.equals(limits) && reading - retryAt < 0 && !clock.steppedSince(madeAt);
    }

    /** The answer to a request at this reading. */
    Decision decision(long reading) {
        return new Decision(false, limit, 0, 0, retryAt - reading, resetAt - reading, false);
    }
}
