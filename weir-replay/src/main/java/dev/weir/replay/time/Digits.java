package dev.weir.replay.time;

/** Decimal digits in bytes. */
public final class Digits {
    private Digits() {}

    public static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    /** Returns the value of two digits, or -1 if either is none. */
    public static int two(byte[] text, int at) {
        return isDigit(text[at]) && isDigit(text[at + 1]) ? (text[at] - '0') * 10 + (text[at + 1] - '0') : -1;
    }

    /** Returns the value of four digits, or -1 if any is none. */
    public static int four(byte[] text, int at) {
        int high = two(text, at);
        int low = two(text, at + 2);
        return high < 0 || low < 0 ? -1 : high * 100 + low;
    }

    /** Returns the value of a text of digits alone, or -1 if it is empty, has anything else or does not fit. */
    public static long all(byte[] text, int from, int to) {
        if (from >= to) {
            return -1;
        }
        long value = 0;
        for (int at = from; at < to; at++) {
            int digit = text[at] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** Returns the first index at or after {@code from} that is no digit; {@code to} if all are. */
    public static int end(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isDigit(text[at])) {
            at++;
        }
        return at;
    }
}
