package dev.weir.replay.time;

import java.util.Arrays;

/**
 * The time of the common log format, {@code 17/May/2015:10:05:03 +0000}, also with a fraction of a second and, in UTC, without
 * an offset, as HAProxy writes it. The minute of the line before is kept, since most lines share it.
 */
final class ClfTime implements TimeParser {
    private static final int SECOND_END = 20; // 17/May/2015:10:05:03
    private static final int MINUTE_END = 17; // 17/May/2015:10:05
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private final byte[] lastMinute = new byte[MINUTE_END];
    private long lastMinuteSecond; // at which lastMinute began in UTC

    @Override
    public long parse(byte[] text, int from, int to) {
        if (!looksLike(text, from, to) || text[from + MINUTE_END] != ':') {
            return NOT_A_TIME;
        }
        int second = Digits.two(text, from + MINUTE_END + 1);
        int at = from + SECOND_END;
        long fraction = 0;
        if (at < to && text[at] == '.') {
            int end = Digits.end(text, at + 1, to);
            fraction = IsoTime.fraction(text, at + 1, end);
            at = end;
        }
        int offset = at == to ? 0 : text[at] == ' ' ? IsoTime.offset(text, at + 1, to) : IsoTime.NO_OFFSET;
        if (second < 0
                || second > Nanos.LEAP_SECOND
                || fraction < 0
                || offset == IsoTime.NO_OFFSET
                || !readMinute(text, from)) {
            return NOT_A_TIME;
        }
        return Nanos.of(lastMinuteSecond + second - offset, fraction);
    }

    /** Returns whether the text has this format's marks. */
    static boolean looksLike(byte[] text, int from, int to) {
        return to - from >= SECOND_END && text[from + 2] == '/' && text[from + 6] == '/' && text[from + 11] == ':';
    }

    private boolean readMinute(byte[] text, int from) {
        if (Arrays.equals(lastMinute, 0, MINUTE_END, text, from, from + MINUTE_END)) {
            return true;
        }
        int day = Digits.two(text, from);
        int month = month(text, from + 3);
        int year = Digits.four(text, from + 7);
        int second = Nanos.secondOfDay(Digits.two(text, from + 12), Digits.two(text, from + 15), 0);
        if (year < 0 || !Nanos.isDate(year, month, day) || second < 0 || text[from + 14] != ':') {
            return false;
        }
        lastMinuteSecond = Nanos.second(year, month, day, second, 0);
        System.arraycopy(text, from, lastMinute, 0, MINUTE_END);
        return true;
    }

    /** Returns the number of an English month of three letters, or -1 if the text is none. */
    static int month(byte[] text, int from) {
        for (int month = 0; month < 12; month++) {
            if (letter(text[from]) == MONTHS.charAt(month * 3)
                    && letter(text[from + 1]) == MONTHS.charAt(month * 3 + 1)
                    && letter(text[from + 2]) == MONTHS.charAt(month * 3 + 2)) {
                return month + 1;
            }
        }
        return -1;
    }

    private static int letter(byte character) {
        return character | 0x20; // lower case
    }
}
