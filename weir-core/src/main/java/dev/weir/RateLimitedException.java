package dev.weir;

import java.util.Objects;

/** Thrown where a denial cannot be a value: it carries the decision, and no stack trace. */
public final class RateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // a denial is answered here and now, not sent elsewhere
    private final Decision decision;

    /** A denial. */
    public RateLimitedException(Decision decision) {
        super(message(decision), null, false, false);
        this.decision = decision;
    }

    private static String message(Decision denial) {
        Objects.requireNonNull(denial, "decision");
        return denial.never()
                ? "rate limited by " + denial.limit() + ": more permits than it ever grants at once"
                : "rate limited by " + denial.limit() + ": retry after " + denial.retryAfter();
    }

    /** The denial. */
    public Decision decision() {
        return decision;
    }
}
