package dev.weir.testkit;

import org.jspecify.annotations.Nullable;

/**
 * What a trace proves.
 *
 * @param events the events looked at
 * @param keys the keys among them
 * @param violation the first window that broke the bound, or null if it holds
 */
public record Verdict(long events, int keys, @Nullable Violation violation) {

    /** Whether the bound holds for every key at every instant. */
    public boolean holds() {
        return violation == null;
    }

    /**
     * A window that holds too many.
     *
     * @param key whose window
     * @param fromNanos the first admitted instant in it
     * @param toNanos the last admitted instant in it
     * @param weight the permits admitted from the first to the last
     * @param bound the most that may be there
     * @param rule the bound in words
     */
    public record Violation(String key, long fromNanos, long toNanos, long weight, long bound, String rule) {}
}
