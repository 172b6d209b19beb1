package dev.weir.spring;

import java.util.List;

/** All rules for requests, in the order of the configuration. Immutable and thread-safe. */
final class Rules {
    private final List<Rule> list;

    Rules(WeirSettings settings, RateLimiters limiters) {
        list = settings.rules().stream()
                .map(rule -> new Rule(limiters.get(rule.limiter()), rule))
                .toList();
    }

    /** Returns the rules; unmodifiable. */
    List<Rule> list() {
        return list;
    }
}
