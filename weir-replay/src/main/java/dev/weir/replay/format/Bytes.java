package dev.weir.replay.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds characters in slices of bytes. */
final class Bytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private Bytes() {}

    /** As {@link #indexOf}, for a character that is expected within a few bytes. */
    static int near(byte[] bytes, char character, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != character) {
            at++;
        }
        return at;
    }

    /** Returns the first index of an ASCII character at or after {@code from}; the larger of {@code from} and {@code to} if there is none. */
    static int indexOf(byte[] bytes, char character, int from, int to) {
        long pattern = character * ONES;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = (long) LONGS.get(bytes, at) ^ pattern;
            long match = (word - ONES) & ~word & HIGHS; // the lowest bit set is exact, and only that is used
            if (match != 0) {
                return at + (Long.numberOfTrailingZeros(match) >>> 3);
            }
        }
        return near(bytes, character, at, to);
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

    /** Returns whether there is nothing but spaces, tabs and carriage returns. */
    static boolean isBlank(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
            at++;
        }
        return at >= to;
    }
}
