package dev.weir.spring;

import dev.weir.RateLimiter;
import java.util.List;

/**
 * All rules for requests, which the filters of servlet and reactive applications share. Immutable and thread-safe.
 *
 * @param list the rules in the order of the configuration; unmodifiable
 */
record Rules(List<Rule> list) {

    /** A rule with its limiter. */
    record Rule(RateLimiter limiter, RuleSettings settings) {}
}
