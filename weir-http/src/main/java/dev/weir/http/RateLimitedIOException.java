package dev.weir.http;

import dev.weir.Decision;
import dev.weir.RateLimitedException;
import java.io.IOException;

/**
 * Thrown by an HTTP client whose contract has only {@link IOException} for a call that was not sent, because no permit was granted
 * within the longest wait. Its cause is the {@link RateLimitedException}.
 */
public final class RateLimitedIOException extends IOException {
    private static final long serialVersionUID = 1;

    /** The denial. */
    private final RateLimitedException denial;

    /**
     * Creates an exception for a denial.
     *
     * @param denial the denial
     */
    public RateLimitedIOException(RateLimitedException denial) {
        super(denial.getMessage(), denial);
        this.denial = denial;
    }

    /** {@return why the call was not sent, and when to retry} */
    public Decision decision() {
        return denial.decision();
    }
}
