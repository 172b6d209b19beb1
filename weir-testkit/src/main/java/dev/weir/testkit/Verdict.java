package dev.weir.testkit;

import org.jspecify.annotations.Nullable;

/**
 * The result of checking a trace.
 *
 * @param events the number of events checked
 * @param keys the number of keys among them
 * @param violation the first window of one of the keys that exceeds the bound, or null if the bound holds
 */
public record Verdict(long events, int keys, @Nullable Violation violation) {

    /** {@return whether the bound holds for every key at every instant} */
    public boolean holds() {
        return violation == null;
    }

    /**
     * A window with more permits than its bound.
     *
     * @param key the key
     * @param fromNanos the first instant at which permits were granted in it
     * @param toNanos the last instant at which permits were granted in it
     * @param permits the permits granted from the first to the last
     * @param bound the most that may be granted
     * @param rule the bound in words
     */
    public record Violation(String key, long fromNanos, long toNanos, long permits, long bound, String rule) {}
}
