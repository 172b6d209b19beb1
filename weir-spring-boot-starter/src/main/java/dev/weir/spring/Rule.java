package dev.weir.spring;

import dev.weir.RateLimiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A rule for requests, with its limiter. Thread-safe. */
record Rule(RateLimiter limiter, RuleSettings settings) {

    /** Returns the key of a request; null if the rule does not apply to it. */
    @Nullable
    String keyOf(LimitedRequest request) {
        return settings.keyOf(request);
    }

    /** Returns how long a request may be held; null if the rule does not say. */
    @Nullable
    Duration maxWait() {
        return settings.maxWait();
    }

    /** Returns whether the rule never denies: it then decides apart from the others, after they have allowed the request. */
    boolean shadow() {
        return settings.shadow();
    }
}
