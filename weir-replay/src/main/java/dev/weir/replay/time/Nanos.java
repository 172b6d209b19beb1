package dev.weir.replay.time;

import java.time.LocalDate;
import java.time.Month;
import java.time.Year;

/** Dates and times of day as nanoseconds since the epoch, from 1970 to 2261: no two of them are too far apart for a long. */
final class Nanos {
    static final long PER_SECOND = 1_000_000_000L;

    static final int LEAP_SECOND = 60;

    private static final long MAX_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;

    private Nanos() {}

    /** Returns a second and its fraction, or {@link TimeParser#OUT_OF_RANGE}. */
    static long of(long seconds, long fractionNanos) {
        return seconds < 0 || seconds > MAX_SECONDS ? TimeParser.OUT_OF_RANGE : seconds * PER_SECOND + fractionNanos;
    }

    /** Returns the second of a date and time that is {@code offsetSeconds} ahead of UTC. The parts are checked already. */
    static long second(int year, int month, int day, int secondOfDay, int offsetSeconds) {
        return LocalDate.of(year, month, day).toEpochDay() * 86_400 + secondOfDay - offsetSeconds;
    }

    static boolean isDate(int year, int month, int day) {
        return month >= 1 && month <= 12 && day >= 1 && day <= Month.of(month).length(Year.isLeap(year));
    }

    /**
     * Returns the second of the day, or -1 if it is none. A {@link #LEAP_SECOND} counts as the first second of the next minute.
     */
    static int secondOfDay(int hour, int minute, int second) {
        boolean valid = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= LEAP_SECOND;
        return valid ? (hour * 60 + minute) * 60 + second : -1;
    }
}
