package dev.weir.replay.format;

/** Looks for characters in slices of bytes. */
final class Bytes {
    private Bytes() {}

    /** The first index of a character at or after {@code from}; {@code to}, or {@code from} if that is more, if there is none. */
    static int indexOf(byte[] bytes, char character, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != character) {
            at++;
        }
        return at;
    }

    static boolean startsWith(byte[] bytes, String ascii, int from, int to) {
        if (to - from < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (bytes[from + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first index at or after {@code from} that is neither a space nor a tab; {@code to} if there is none. */
    static int skipBlanks(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        return at;
    }

    /** Whether there is nothing but spaces and tabs. */
    static boolean isBlank(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
            at++;
        }
        return at >= to;
    }
}
