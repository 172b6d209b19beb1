package dev.weir.replay;

/** The distance from UTC as logs write it: {@code Z}, {@code +02}, {@code +0200} or {@code +02:00}. */
final class Offsets {
    static final int NONE = Integer.MIN_VALUE;

    private Offsets() {}

    /** Seconds ahead of UTC, or {@link #NONE} if the bytes {@code from} to {@code to} are no offset. */
    static int seconds(byte[] text, int from, int to) {
        int length = to - from;
        if (length == 1) {
            return text[from] == 'Z' || text[from] == 'z' ? 0 : NONE;
        }
        boolean colon = length == 6 && text[from + 3] == ':';
        if (length != 3 && length != 5 && !colon) {
            return NONE;
        }
        int hours = Digits.two(text, from + 1);
        int minutes = length == 3 ? 0 : Digits.two(text, to - 2);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NONE;
        }
        int seconds = hours * 3600 + minutes * 60;
        return switch (text[from]) {
            case '+' -> seconds;
            case '-' -> -seconds;
            default -> NONE;
        };
    }
}
