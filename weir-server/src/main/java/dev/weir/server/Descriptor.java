package dev.weir.server;

import dev.weir.Decision;
import dev.weir.Status;
import dev.weir.server.Rule.Mode;
import org.jspecify.annotations.Nullable;

/** A descriptor of a request that a rule limits, and what the rule says of it. Used by one thread at a time. */
final class Descriptor {
    private final Rule rule;
    private final String key;
    private final long hits;
    private @Nullable Status status;
    private boolean over;
    private boolean counted;

    /**
     * Creates a descriptor.
     *
     * @param rule its rule
     * @param key the key under which it is counted
     * @param hits its number of hits; 0 looks without counting
     */
    Descriptor(Rule rule, String key, long hits) {
        this.rule = rule;
        this.key = key;
        this.hits = hits;
    }

    Rule rule() {
        return rule;
    }

    String key() {
        return key;
    }

    /** Returns the number of permits to acquire, or to look for. */
    long permits() {
        return rule.permits(Math.max(1, hits));
    }

    /** Returns whether it only looks. */
    boolean looks() {
        return hits == 0;
    }

    boolean is(Mode mode) {
        return rule.mode() == mode;
    }

    /** Takes what a decision says of this descriptor: whether its rule denies, alone or with others. */
    void decided(Decision decision, int position) {
        status = decision.statuses().get(position);
        over = !decision.allowed() && (status.retryAfterNanos() > 0 || decision.blocked());
        counted = true;
    }

    /** Takes what a decision on this descriptor alone would be; nothing is counted. */
    void peeked(Decision decision) {
        status = decision.statuses().get(0);
        over = !decision.allowed();
    }

    /** Returns what the rule says; null if it has not been asked. */
    @Nullable
    Status status() {
        return status;
    }

    /** Returns whether the rule denies the descriptor. */
    boolean over() {
        return over;
    }

    /** Returns whether this was a decision, not a look. */
    boolean counted() {
        return counted;
    }
}
