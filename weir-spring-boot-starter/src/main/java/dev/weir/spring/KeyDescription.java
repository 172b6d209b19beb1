package dev.weir.spring;

import dev.weir.KeySnapshot;
import dev.weir.RateLimiter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key as the actuator shows it.
 *
 * @param time the time of the state
 * @param blockedUntil the end of its block; null if it is not blocked
 * @param limits the state by limit
 */
record KeyDescription(Instant time, @Nullable Instant blockedUntil, List<LimitState> limits) {
    private static final int MAX_RUNS = 100;

    /**
     * The state of a limit for a key.
     *
     * @param limit the text of the limit
     * @param remaining the number of permits that are available now
     * @param runs the newest grants that still count
     * @param pending the newest reservations that are not due yet
     * @param truncated whether there are more of them
     * @param fits when some numbers of permits will be available
     */
    record LimitState(
            String limit,
            long remaining,
            List<KeySnapshot.Run> runs,
            List<KeySnapshot.Run> pending,
            boolean truncated,
            List<KeySnapshot.Fit> fits) {}

    /** Returns the state of a key, with at most 100 runs of each limit. Changes nothing. */
    static KeyDescription of(RateLimiter limiter, String key) {
        KeySnapshot snapshot = limiter.inspect(key, MAX_RUNS);
        List<LimitState> limits = snapshot.limits().stream()
                .map(limit -> new LimitState(
                        limit.limit().toString(),
                        limit.remaining(),
                        limit.runs(),
                        limit.pending(),
                        limit.truncated(),
                        limit.fits()))
                .toList();
        return new KeyDescription(snapshot.time(), snapshot.blockedUntil().orElse(null), limits);
    }
}
