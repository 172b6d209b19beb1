package dev.weir.http;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import java.util.List;

/**
 * A key of one of the limiters of an {@code OutboundLimiter}.
 *
 * @param limiter the limiter
 * @param name the key
 */
record OutboundKey(RateLimiter limiter, String name) {

    /** Returns the limits in force. */
    List<Limit> limits() {
        return limiter.limits(name).list();
    }
}
