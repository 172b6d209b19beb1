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
    private static final int CLOCK_LENGTH = 8;
    private static final int NONE = -1;
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
        return clock(text, from, to) > 0;
    }

    /** Returns where the time of day begins, behind a day of one digit or two; {@link #NONE} if the text is not of this format. */
    private static int clock(byte[] text, int from, int to) {
        int clock = from + (to - from > 5 && text[from + 5] == ' ' ? 6 : 7);
        boolean found = to - clock >= CLOCK_LENGTH
                && text[from + 3] == ' '
                && text[clock - 1] == ' '
                && text[clock + 2] == ':'
                && text[clock + 5] == ':'
                && ClfTime.month(text, from) > 0;
        return found ? clock : NONE;
    }

    @Override
    public long parse(byte[] text, int from, int to) {
        int clock = clock(text, from, to);
        if (clock == NONE) {
            return NOT_A_TIME;
        }
        int day = (int) Digits.all(text, text[from + 4] == ' ' ? from + 5 : from + 4, clock - 1);
        int second =
                Nanos.secondOfDay(Digits.two(text, clock), Digits.two(text, clock + 3), Digits.two(text, clock + 6));
        long fraction = fraction(text, clock + CLOCK_LENGTH, to);
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
