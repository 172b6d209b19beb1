package dev.weir.replay.time;

/**
 * The time of BSD syslog, {@code Nov 21 10:00:00}, perhaps with a fraction of a second. It has neither a year nor a zone: the
 * year comes from a {@link YearSource} for the first time and then from the time before, and the zone is UTC.
 */
final class SyslogTime implements TimeParser {
    private static final int LENGTH = 15;
    private static final long NONE = -1;

    private final YearSource years;
    private long previousSecond = NONE;

    SyslogTime(YearSource years) {
        this.years = years;
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
        long epochSecond = previousSecond == NONE
                ? years.first(month, day, second)
                : YearSource.nearest(previousSecond, month, day, second);
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
}
