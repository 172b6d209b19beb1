package dev.weir;

import java.util.Objects;

/** Thrown when a request is denied by a method that must succeed. Carries the decision, has no stack trace, and cannot be serialized. */
public class RateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The name of the limiter. */
    private final String limiter;

    /** The denial. Not serializable: the exception is handled in the process that throws it. */
    @SuppressWarnings("serial")
    private final Decision decision;

    /**
     * Creates an exception for a denial.
     *
     * @param limiter the name of the limiter
     * @param decision the denial
     */
    public RateLimitedException(String limiter, Decision decision) {
        super(message(limiter, decision), null, false, false);
        this.limiter = limiter;
        this.decision = decision;
    }

    private static String message(String limiter, Decision denial) {
        Objects.requireNonNull(limiter, "limiter must not be null");
        Objects.requireNonNull(denial, "decision must not be null");
        String who = "limiter '" + limiter + "': ";
        if (denial.never()) {
            return who + "more permits requested than " + denial.limit() + " ever grants";
        }
        String why = denial.blocked() ? "key is blocked" : "denied by " + denial.limit();
        return who + why + ", retry after " + denial.retryAfter();
    }

    /** {@return the name of the limiter} */
    public String limiter() {
        return limiter;
    }

    /** {@return the denial} */
    public Decision decision() {
        return decision;
    }
}
