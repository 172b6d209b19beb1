package dev.weir.http;

import dev.weir.Decision;
import dev.weir.RateLimitedException;

/**
 * Thrown by {@link OutboundLimiter} for a call to the server of another that was not sent, because no permit was granted within the
 * longest wait. Unlike other denials, it is not the fault of a client of this application.
 */
public final class OutboundLimitException extends RateLimitedException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception for a denial.
     *
     * @param limiter the name of the limiter
     * @param decision the denial
     */
    public OutboundLimitException(String limiter, Decision decision) {
        super(limiter, decision);
    }

    OutboundLimitException(String limiter, Decision decision, String why) {
        super(limiter, decision, why);
    }
}
