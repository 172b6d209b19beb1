package dev.weir.testkit;

import java.util.Objects;

/**
 * One event of a trace: a decision or a refund.
 *
 * @param timeNanos the time of the decision, or at which a waiting request's permits are granted; of a refund, the time at
 *     which its permits were granted
 * @param key the key
 * @param permits the number of permits, at least 1
 * @param kind what happened
 */
public record TraceEvent(long timeNanos, String key, long permits, Kind kind) {

    /** What happened. */
    public enum Kind {
        /** The permits were granted. */
        ALLOWED,
        /** The permits were denied. */
        DENIED,
        /** Permits granted at the same time to the same key were refunded. */
        REFUNDED
    }

    /**
     * Checks the values.
     *
     * @param timeNanos the time
     * @param key the key
     * @param permits the number of permits, at least 1
     * @param kind what happened
     */
    public TraceEvent {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(kind, "kind");
        if (permits < 1) {
            throw new IllegalArgumentException("permits must be at least 1, was " + permits);
        }
    }
}
