package dev.weir.replay.time;

/**
 * A date and time of ISO 8601, in UTC unless it has an offset: {@code 2015-05-17T10:05:03.25Z}, {@code 2015-05-17
 * 12:05+02:00}, also with a space before the offset, as databases and Ruby write it.
 */
final class IsoTime implements TimeParser {
    static final int NO_OFFSET = Integer.MIN_VALUE;

    private static final int MINUTE_END = 16; // 2015-05-17T10:05

    @Override
    public long parse(byte[] text, int from, int to) {
        if (to - from < MINUTE_END || !hasMarks(text, from)) {
            return NOT_A_TIME;
        }
        int year = Digits.four(text, from);
        int month = Digits.two(text, from + 5);
        int day = Digits.two(text, from + 8);
        int at = from + MINUTE_END;
        int second = 0;
        long fraction = 0;
        if (to - at > 2 && text[at] == ':') {
            second = Digits.two(text, at + 1);
            at += 3;
            if (at < to && (text[at] == '.' || text[at] == ',')) {
                int end = Digits.end(text, at + 1, to);
                fraction = fraction(text, at + 1, end);
                at = end;
            }
        }
        int secondOfDay = Nanos.secondOfDay(Digits.two(text, from + 11), Digits.two(text, from + 14), second);
        int zone = at < to && text[at] == ' ' ? at + 1 : at;
        int offset = at == to ? 0 : offset(text, zone, to);
        if (year < 0 || !Nanos.isDate(year, month, day) || secondOfDay < 0 || fraction < 0 || offset == NO_OFFSET) {
            return NOT_A_TIME;
        }
        return Nanos.of(Nanos.second(year, month, day, secondOfDay, offset), fraction);
    }

    private static boolean hasMarks(byte[] text, int from) {
        byte between = text[from + 10];
        return text[from + 4] == '-'
                && text[from + 7] == '-'
                && (between == 'T' || between == 't' || between == ' ')
                && text[from + 13] == ':';
    }

    /** Returns the digits after the point as nanoseconds, cut off after nine digits; -1 if there are none. */
    static long fraction(byte[] text, int from, int to) {
        if (from == to) {
            return -1;
        }
        long value = 0;
        for (int place = 0; place < 9; place++) {
            value = value * 10 + (from + place < to ? text[from + place] - '0' : 0);
        }
        return value;
    }

    /**
     * Returns the seconds that an offset such as {@code Z}, {@code UTC}, {@code +02}, {@code +0200} or {@code +02:00} is ahead of
     * UTC, or {@link #NO_OFFSET}.
     */
    static int offset(byte[] text, int from, int to) {
        int length = to - from;
        if (length == 1) {
            return text[from] == 'Z' || text[from] == 'z' ? 0 : NO_OFFSET;
        } else if (length == 3 && text[from] == 'U' && text[from + 1] == 'T' && text[from + 2] == 'C') {
            return 0;
        }
        boolean colon = length == 6 && text[from + 3] == ':';
        if (length != 3 && length != 5 && !colon) {
            return NO_OFFSET;
        }
        int hours = Digits.two(text, from + 1);
        int minutes = length == 3 ? 0 : Digits.two(text, to - 2);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NO_OFFSET;
        }
        int seconds = hours * 3600 + minutes * 60;
        return switch (text[from]) {
            case '+' -> seconds;
            case '-' -> -seconds;
            default -> NO_OFFSET;
        };
    }
}
