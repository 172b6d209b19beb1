package dev.weir.testkit;

import java.util.Objects;

/**
 * One line of a trace: what a limiter decided, or that a booking was given back.
 *
 * @param timeNanos the instant of the decision, or that a waiter's turn came; of a give-back, the instant of what it gives back
 * @param key who asked
 * @param permits how much, at least 1
 * @param kind what happened
 */
public record TraceEvent(long timeNanos, String key, long permits, Kind kind) {

    /** What a line tells. */
    public enum Kind {
        /** The permits were granted. */
        ALLOWED,
        /** They were not. */
        DENIED,
        /** Granted permits of the same time and key were given back. */
        GIVEN_BACK
    }

    /** Checks the values. */
    public TraceEvent {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(kind, "kind");
        if (permits < 1) {
            throw new IllegalArgumentException("permits must be at least 1, was " + permits);
        }
    }
}
