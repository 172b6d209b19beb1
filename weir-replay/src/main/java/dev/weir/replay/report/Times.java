package dev.weir.replay.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Instants as text, in UTC. */
final class Times {
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3600 * SECOND;
    private static final long DAY = 24 * HOUR;

    private Times() {}

    /** Returns the span of two times: {@code Sun 17 May 2015 10:05 to Wed 20 May 21:05 UTC}; the day once if it is the same. */
    static String span(long firstNanos, long lastNanos) {
        boolean sameDay = firstNanos / DAY == lastNanos / DAY;
        boolean sameYear = write(firstNanos, "yyyy").equals(write(lastNanos, "yyyy"));
        String end = sameDay ? "HH:mm" : sameYear ? "EEE d MMM HH:mm" : "EEE d MMM yyyy HH:mm";
        return write(firstNanos, "EEE d MMM yyyy HH:mm") + " to " + write(lastNanos, end) + " UTC";
    }

    /** Returns a moment with the precision that a window of that length needs. */
    static String moment(long nanos, long windowNanos) {
        return write(nanos, "d MMM " + timeOfDay(windowNanos));
    }

    /** Returns the time of day with the precision that a window of that length needs; for windows of days, the day. */
    static String clock(long nanos, long windowNanos) {
        return write(nanos, windowNanos < DAY ? timeOfDay(windowNanos) : "d MMM");
    }

    private static String timeOfDay(long windowNanos) {
        return windowNanos < SECOND ? "HH:mm:ss.SSS" : windowNanos < HOUR ? "HH:mm:ss" : "HH:mm";
    }

    static String write(long nanos, String pattern) {
        return write(at(nanos), pattern);
    }

    static String write(ZonedDateTime time, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(time);
    }

    static ZonedDateTime at(long nanos) {
        return Instant.ofEpochSecond(nanos / SECOND, nanos % SECOND).atZone(ZoneOffset.UTC);
    }

    /** Returns the nanoseconds since the epoch of a time up to the year 2261. */
    static long nanos(ZonedDateTime time) {
        return time.toEpochSecond() * SECOND + time.getNano();
    }
}
