package dev.weir.replay.time;

import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The time of BSD syslog, {@code Nov 21 10:00:00}, perhaps with a fraction of a second. It has neither a year nor a zone. The year of
 * the first time is given, or follows from the date at which the log was last written, which no time in it is after; that of the
 * others follows from the time before. The zone is UTC.
 */
final class SyslogTime implements TimeParser {
    private static final int LENGTH = 15;
    private static final long NONE = -1;
    private static final long SLACK_SECONDS = 86_400; // a day, since zones differ
    private static final long MOST_APART_SECONDS = 200 * 86_400; // half a year, and some days
    private static final int LEAP_CYCLE = 8; // years in which any date occurs

    private final @Nullable Integer year;
    private final @Nullable Instant written;
    private long previousSecond = NONE;

    /**
     * Creates a parser.
     *
     * @param year the year of the first time; null if it is not given
     * @param written when the log was last written; null if that is unknown
     */
    SyslogTime(@Nullable Integer year, @Nullable Instant written) {
        this.year = year;
        this.written = written;
    }

    /** Returns whether the text has this format's length and marks. */
    static boolean looksLike(byte[] text, int from, int to) {
        return to - from >= LENGTH
                && text[from + 3] == ' '
                && text[from + 6] == ' '
                && text[from + 9] == ':'
                && text[from + 12] == ':'
                && ClfTime.month(text, from) > 0;
    }

    @Override
    public long parse(byte[] text, int from, int to) {
        if (!looksLike(text, from, to)) {
            return NOT_A_TIME;
        }
        int day = text[from + 4] == ' ' ? (int) Digits.all(text, from + 5, from + 6) : Digits.two(text, from + 4);
        int second =
                Nanos.secondOfDay(Digits.two(text, from + 7), Digits.two(text, from + 10), Digits.two(text, from + 13));
        long fraction = fraction(text, from + LENGTH, to);
        if (day < 1 || second < 0 || fraction < 0) {
            return NOT_A_TIME;
        }
        int month = ClfTime.month(text, from);
        long epochSecond = previousSecond == NONE ? first(month, day, second) : next(month, day, second);
        if (epochSecond == NOT_A_TIME || epochSecond == YEAR_UNKNOWN) {
            return epochSecond;
        }
        long nanos = Nanos.of(epochSecond, fraction);
        previousSecond = nanos >= 0 ? epochSecond : previousSecond;
        return nanos;
    }

    private static long fraction(byte[] text, int from, int to) {
        if (from == to) {
            return 0;
        }
        boolean valid = text[from] == '.' && Digits.end(text, from + 1, to) == to;
        return valid ? IsoTime.fraction(text, from + 1, to) : -1;
    }

    /** Returns the second at which the first time of a log is; {@link #YEAR_UNKNOWN} if nothing gives its year. */
    private long first(int month, int day, int secondOfDay) {
        if (year != null) {
            return Nanos.isDate(year, month, day) ? Nanos.second(year, month, day, secondOfDay, 0) : NOT_A_TIME;
        } else if (written == null) {
            return YEAR_UNKNOWN;
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
        return NOT_A_TIME;
    }

    /** Returns the second that is nearest to the previous one, so that December and January are neighbours. */
    private long next(int month, int day, int secondOfDay) {
        int around =
                Instant.ofEpochSecond(previousSecond).atZone(ZoneOffset.UTC).getYear();
        long best = NOT_A_TIME;
        for (int candidate = around - 1; candidate <= around + 1; candidate++) {
            if (Nanos.isDate(candidate, month, day)) {
                long second = Nanos.second(candidate, month, day, secondOfDay, 0);
                boolean nearer = Math.abs(second - previousSecond) < Math.abs(best - previousSecond);
                best = best == NOT_A_TIME || nearer ? second : best;
            }
        }
        boolean near = Math.abs(best - previousSecond) <= MOST_APART_SECONDS; // 29 February may be years away
        return near ? best : NOT_A_TIME;
    }
}
