package dev.weir.replay.time;

import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Where times without a year get it from: the year of the first time if it is given, otherwise the date at which the log was
 * last written, which no time in it is after.
 *
 * @param year the year of the first time; null if it is not given
 * @param written when the log was last written; null if that is unknown
 */
record YearSource(@Nullable Integer year, @Nullable Instant written) {
    private static final long SLACK_SECONDS = 86_400; // a day, since zones differ
    private static final long MOST_APART_SECONDS = 200 * 86_400; // half a year, and some days
    private static final int LEAP_CYCLE = 8; // years in which any date occurs

    /** Returns the second at which the first time of a log is; {@link TimeParser#YEAR_UNKNOWN} if nothing gives its year. */
    long first(int month, int day, int secondOfDay) {
        if (year != null) {
            return Nanos.isDate(year, month, day)
                    ? Nanos.second(year, month, day, secondOfDay, 0)
                    : TimeParser.NOT_A_TIME;
        } else if (written == null) {
            return TimeParser.YEAR_UNKNOWN;
        }
        int latest = written.atZone(ZoneOffset.UTC).getYear() + 1;
        for (int candidate = latest; candidate > latest - LEAP_CYCLE; candidate--) {
            if (Nanos.isDate(candidate, month, day)) {
                long second = Nanos.second(candidate, month, day, secondOfDay, 0);
                if (second <= written.getEpochSecond() + SLACK_SECONDS) {
                    return second;
                }
            }
        }
        return TimeParser.NOT_A_TIME;
    }

    /** Returns the second that is nearest to another one of the log, so that December and January are neighbours. */
    static long nearest(long previousSecond, int month, int day, int secondOfDay) {
        int around = Year.from(Instant.ofEpochSecond(previousSecond).atZone(ZoneOffset.UTC))
                .getValue();
        long best = TimeParser.NOT_A_TIME;
        for (int candidate = around - 1; candidate <= around + 1; candidate++) {
            if (Nanos.isDate(candidate, month, day)) {
                long second = Nanos.second(candidate, month, day, secondOfDay, 0);
                boolean nearer = Math.abs(second - previousSecond) < Math.abs(best - previousSecond);
                best = best == TimeParser.NOT_A_TIME || nearer ? second : best;
            }
        }
        boolean near = Math.abs(best - previousSecond) <= MOST_APART_SECONDS; // 29 February may be years away
        return near ? best : TimeParser.NOT_A_TIME;
    }
}
