package dev.weir.internal;

import static dev.weir.internal.Spelling.shown;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as limits state them: {@code 10ms}, {@code 1m}, or as in ISO 8601. */
public final class Durations {
    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "min", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L,
            "w", 604_800_000_000_000L);

    private static final List<String> LONGEST_FIRST = List.of("w", "d", "h", "m", "s", "ms", "us");
    private static final String EXPECTED = "a duration such as 10ms, 1s, 1m, 1h, 1d, 1w or PT1M";
    private static final Pattern AMOUNT = Pattern.compile("([0-9]+)([a-zA-Z]+)");

    private Durations() {}

    /**
     * Reads a duration, which may be zero, negative, or too long for a number of nanoseconds.
     *
     * @throws DateTimeParseException if the text is none, with what is wrong and where
     */
    public static Duration parse(String text) {
        Matcher matcher = AMOUNT.matcher(text);
        try {
            if (matcher.matches()) {
                Long unit = UNITS.get(matcher.group(2));
                if (unit == null) {
                    String message = "unknown unit '" + shown(matcher.group(2))
                            + "'; expected ns, us, ms, s, m or min, h, d or w";
                    throw new DateTimeParseException(message, text, matcher.start(2));
                }
                return Duration.ofNanos(Math.multiplyExact(Long.parseLong(matcher.group(1)), unit));
            }
        } catch (ArithmeticException | NumberFormatException tooLong) {
            throw new DateTimeParseException("'" + shown(text) + "' is longer than 292 years", text, 0, tooLong);
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException notIso) {
            throw new DateTimeParseException(
                    "'" + shown(text) + "' is not a duration; expected " + EXPECTED, text, 0, notIso);
        }
    }

    /**
     * Converts a duration of zero or more; above 292 years it saturates.
     *
     * @throws IllegalArgumentException if it is negative, with its name
     */
    public static long nonNegativeNanos(String what, Duration duration) {
        Objects.requireNonNull(duration, () -> what + " must not be null"); // the text costs too much for each request
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, was " + duration);
        }
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** Returns a duration of zero or more, at most 292 years; otherwise as {@link #nonNegativeNanos}. */
    public static Duration nonNegative(String what, Duration duration) {
        return Duration.ofNanos(nonNegativeNanos(what, duration));
    }

    /**
     * Returns a duration of zero or more in seconds for clients: rounded up, so that none is too early, and at most 2,147,483,647
     * (68 years), since they read 32-bit numbers.
     */
    public static long wholeSeconds(long nanos) {
        return Math.min(Integer.MAX_VALUE, nanos / 1_000_000_000 + (nanos % 1_000_000_000 == 0 ? 0 : 1));
    }

    /** Writes a duration in the largest unit that divides it: 60 s is {@code 1m}, 90 s is {@code 90s}, and zero {@code 0s}. */
    public static String text(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        for (String unit : LONGEST_FIRST) {
            long length = UNITS.getOrDefault(unit, 1L);
            if (nanos % length == 0) {
                return nanos / length + unit;
            }
        }
        return nanos + "ns";
    }
}
