package dev.weir;

import static dev.weir.internal.Spelling.shown;

import dev.weir.internal.Durations;
import dev.weir.internal.KeyBytes;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

/** Argument checks. Each message names the parameter, the rule and the value. */
final class Checks {
    /** The longest time for which a permit counts or a burst is earned: 73 years, less than {@code 2^61} nanoseconds. */
    static final long LONGEST_NANOS = Duration.ofDays(73 * 365).toNanos();

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");

    private Checks() {}

    /** Returns the key if it is valid: 1 to 1,024 bytes in UTF-8, where an unpaired surrogate takes 3. */
    static String key(String key) {
        Objects.requireNonNull(key, "key must not be null");
        if (!KeyBytes.isKey(key)) {
            throw new IllegalArgumentException(
                    key.isEmpty()
                            ? "key must not be empty"
                            : "key must be at most " + KeyBytes.MAX + " bytes long in UTF-8, was " + key.length()
                                    + " characters: " + shown(key));
        }
        return key;
    }

    static long permits(long permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits must be at least 1, was " + permits);
        }
        return permits;
    }

    static String name(String name) {
        Objects.requireNonNull(name, "name must not be null");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name must be a letter and up to 63 more letters, digits, '.', '_' or '-', was '" + shown(name)
                            + "'");
        }
        return name;
    }

    static void range(String what, long value, long least, long most) {
        range(what, value, least, most, Long::toString);
    }

    /** As {@link #range}, for a number of nanoseconds that messages show as a duration. */
    static void duration(String what, long nanos, long least, long most) {
        range(what, nanos, least, most, Durations::text);
    }

    private static void range(String what, long value, long least, long most, LongFunction<String> text) {
        if (value < least || value > most) {
            String bound = value < least ? "least " + text.apply(least) : "most " + text.apply(most);
            throw new IllegalArgumentException(what + " must be at " + bound + ", was " + text.apply(value));
        }
    }

    /** Returns the largest burst that is earned within 73 years. */
    static long maxBurst(long permits, long windowNanos) {
        BigInteger burst = BigInteger.valueOf(LONGEST_NANOS)
                .multiply(BigInteger.valueOf(permits))
                .divide(BigInteger.valueOf(windowNanos));
        return burst.bitLength() > 63 ? Long.MAX_VALUE : burst.longValue();
    }

    /** Converts the length of a window, from 1 ns to 73 years. */
    static long windowNanos(Duration window) {
        long given = nanos("window", window);
        if (given > LONGEST_NANOS) {
            throw new IllegalArgumentException("window must be at most 73 years (" + Durations.text(LONGEST_NANOS)
                    + "), was " + (given == Long.MAX_VALUE ? window : Durations.text(given)));
        }
        return given;
    }

    /** Converts a duration of 1 ns or more; above 292 years it saturates. */
    static long nanos(String what, Duration duration) {
        long nanos = Durations.nonNegativeNanos(what, duration);
        if (nanos == 0) {
            throw new IllegalArgumentException(what + " must be at least 1 nanosecond, was " + duration);
        }
        return nanos;
    }
}
