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
        this(limiter, decision, reason(decision));
    }

    /**
     * Creates an exception for a denial that has another reason than a limit or a block.
     *
     * @param limiter the name of the limiter
     * @param decision the denial
     * @param why the reason, for a person
     */
    protected RateLimitedException(String limiter, Decision decision, String why) {
        super("limiter '" + limiter + "': " + why, null, false, false);
        this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
        this.decision = Objects.requireNonNull(decision, "decision must not be null");
    }

    private static String reason(Decision denial) {
        Objects.requireNonNull(denial, "decision must not be null");
        if (denial.never()) {
            return "more permits requested than " + denial.limit() + " ever grants";
        }
        String why = denial.blocked() ? "key is blocked" : "denied by " + denial.limit();
        String unknown = denial.degraded() ? " (the store failed or is full)" : "";
        return why + unknown + ", retry after " + denial.retryAfter();
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
