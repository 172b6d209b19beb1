package dev.weir.replay.time;

/** Dates and times of day as nanoseconds since the epoch, from 1970 to 2261: no two of them are too far apart for a long. */
final class Nanos {
    static final long PER_SECOND = 1_000_000_000L;

    static final int LEAP_SECOND = 60;

    private static final long MAX_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;
    private static final int[] DAYS_IN_MONTH = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private Nanos() {}

    /** A second and its fraction, or {@link TimeParser#OUT_OF_RANGE}. */
    static long of(long seconds, long fractionNanos) {
        return seconds < 0 || seconds > MAX_SECONDS ? TimeParser.OUT_OF_RANGE : seconds * PER_SECOND + fractionNanos;
    }

    /** The second of a date and time that is {@code offsetSeconds} ahead of UTC. The parts are checked already. */
    static long second(int year, int month, int day, int secondOfDay, int offsetSeconds) {
        return epochDay(year, month, day) * 86_400 + secondOfDay - offsetSeconds;
    }

    static boolean isDate(int year, int month, int day) {
        if (month < 1 || month > 12 || day < 1) {
            return false;
        }
        boolean leapDay = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return day <= DAYS_IN_MONTH[month - 1] + (leapDay ? 1 : 0);
    }

    /**
     * The second of the day, or -1 if it is none. A {@link #LEAP_SECOND} counts as the first second of the next minute.
     */
    static int secondOfDay(int hour, int minute, int second) {
        boolean valid = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= LEAP_SECOND;
        return valid ? (hour * 60 + minute) * 60 + second : -1;
    }

    /*
     * Days before the epoch's, in the proleptic Gregorian calendar with years that begin in March, so that the leap day
     * is the last of its year. From Howard Hinnant's chrono-Compatible Low-Level Date Algorithms, for years from 0.
     */
    private static long epochDay(int year, int month, int day) {
        int marchYear = month > 2 ? year : year - 1;
        int era = Math.floorDiv(marchYear, 400);
        int yearOfEra = marchYear - era * 400;
        int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097L + dayOfEra - 719_468;
    }
}
