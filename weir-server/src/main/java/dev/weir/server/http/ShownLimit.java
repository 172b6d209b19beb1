package dev.weir.server.http;

import dev.weir.Limit;
import dev.weir.server.live.RuleId;

/**
 * A limit as operators see it.
 *
 * @param text its text
 * @param of the most permits that it grants at once
 */
record ShownLimit(String text, long of) {
    static ShownLimit of(Limit limit) {
        return new ShownLimit(limit.toString(), limit.maxPermitsPerRequest());
    }

    /** Returns a limit of a rule: of one that denies everything, a limit of 0, not that of its requests. */
    static ShownLimit of(RuleId rule, Limit limit) {
        return rule.denies() ? new ShownLimit(rule.text(0), 0) : of(limit);
    }

    /** Returns the permits that are used if the given number remains. */
    long used(long remaining) {
        return Math.max(0, of - remaining);
    }
}
