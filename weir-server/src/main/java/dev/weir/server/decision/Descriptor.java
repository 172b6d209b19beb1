package dev.weir.server.decision;

import dev.weir.Decision;
import dev.weir.Status;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import org.jspecify.annotations.Nullable;

/** A descriptor of a request that a rule limits, and what the rule says of it. Used by one thread at a time. */
final class Descriptor {
    /** The most hits that are counted; a store on Redis counts to 2^53. */
    static final long MAX_HITS = 1L << 52;

    private final Rule rule;
    private final String key;
    private final long hits;
    private @Nullable Status status;
    private boolean blocked;
    private boolean counted;
    private boolean refunded;

    /**
     * Creates a descriptor.
     *
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

    /** Returns the number of hits to count. */
    long hits() {
        return hits;
    }

    /** Returns whether it only looks. */
    boolean looks() {
        return hits == 0;
    }

    boolean is(Mode mode) {
        return rule.mode() == mode;
    }

    /** Takes what a decision on this and other descriptors says of this one. */
    void decided(Decision decision, int position) {
        status = decision.statuses().get(position);
        blocked = decision.blocked();
        counted = true;
    }

    /**
     * Takes what a decision on this descriptor alone would be; no permit is taken. If its rule is live and denies its hits, that is a
     * denial like any other.
     */
    void peeked(Decision decision) {
        decided(decision, 0);
        counted = over() && is(Mode.LIVE) && !looks();
    }

    /** Returns what the rule says; null if it has not been evaluated. */
    @Nullable
    Status status() {
        return status;
    }

    /** Takes what remains after a refund. The rule has allowed the descriptor, whatever it would say now. */
    void refunded(Decision decision) {
        status = decision.statuses().get(0);
        refunded = true;
    }

    /** Returns whether the rule denies the descriptor. */
    boolean over() {
        return !refunded && status != null && status.retryAfterNanos() > 0;
    }

    /** Returns whether a block, not the limit, denies the descriptor. */
    boolean blocked() {
        return blocked;
    }

    /** Returns whether the rule decided on hits: it was not only looked at, or it is live and denies them. */
    boolean counted() {
        return counted;
    }
}
