package dev.weir.http;

import java.time.Duration;
import java.util.Objects;

/** Checks of durations that callers give. */
final class Durations {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE); // 292 years

    private Durations() {}

    /** Returns a duration of zero or more; above 292 years it saturates, so that it is a number of nanoseconds. */
    static Duration notNegative(String what, Duration duration) {
        Objects.requireNonNull(duration, what + " must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, was " + duration);
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }
}
