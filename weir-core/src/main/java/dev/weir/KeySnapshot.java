package dev.weir;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key for operators, from one atomic step; see {@link RateLimiter#inspect}. Instants are on the store's
 * clock. Immutable and thread-safe.
 *
 * @param time the time of the snapshot
 * @param blockedUntil the end of the key's block; empty if it is not blocked
 * @param limits the state of each limit, in their order
 */
public record KeySnapshot(Instant time, Optional<Instant> blockedUntil, List<LimitSnapshot> limits) {

    /**
     * Copies the list.
     *
     * @param time the time of the snapshot
     * @param blockedUntil the end of the key's block; empty if it is not blocked
     * @param limits the state of each limit, in their order
     */
    public KeySnapshot {
        limits = List.copyOf(limits);
    }

    /**
     * Permits at one instant.
     *
     * @param at the end of their tick or bucket (classic estimate: its start), or the start of their fixed window; of a reservation
     *     in a log that has to wait, its own instant
     * @param permits the number of permits
     */
    public record Run(Instant at, long permits) {}

    /**
     * When a number of permits fits a limit.
     *
     * @param permits the number of permits
     * @param at the earliest instant, or null if never
     */
    public record Fit(long permits, @Nullable Instant at) {}

    /**
     * The state of one limit.
     *
     * @param limit the limit
     * @param remaining the permits that it could grant now if the key were not blocked
     * @param runs the permits that count now, oldest first: by tick for a sliding log, by bucket for a sliding window, by window
     *     for a fixed window; empty for the other algorithms, which keep no log
     * @param pending the pending reservations of those algorithms, oldest first
     * @param truncated whether older runs were left out because there are more than requested
     * @param fits the instants at which 1, n/10, n/2 and n permits fit this limit alone, each number once and at least 1, where n is
     *     {@link Limit#maxPermitsPerRequest()}
     */
    public record LimitSnapshot(
            Limit limit, long remaining, List<Run> runs, List<Run> pending, boolean truncated, List<Fit> fits) {

        /**
         * Copies the lists.
         *
         * @param limit the limit
         * @param remaining the permits that it could grant now if the key were not blocked
         * @param runs the permits that count now, oldest first
         * @param pending the pending reservations, oldest first
         * @param truncated whether older runs were left out
         * @param fits the instants at which 1, n/10, n/2 and n permits fit
         */
        public LimitSnapshot {
            runs = List.copyOf(runs);
            pending = List.copyOf(pending);
            fits = List.copyOf(fits);
        }
    }
}
