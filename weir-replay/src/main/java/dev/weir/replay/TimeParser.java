package dev.weir.replay;

import org.jspecify.annotations.Nullable;

/** Reads a time from text into nanoseconds since the epoch. Never throws, whatever the text is. */
interface TimeParser {
    long NOT_A_TIME = Long.MIN_VALUE;
    long OUT_OF_RANGE = Long.MIN_VALUE + 1;
    long YEAR_UNKNOWN = Long.MIN_VALUE + 2;

    /** Returns the time in the bytes {@code from} to {@code to}, or one of the constants. */
    long parse(byte[] text, int from, int to);

    /** Returns why a result is not a time; null if it is one. */
    static @Nullable Refusal refusal(long result) {
        if (result >= 0) {
            return null;
        } else if (result == OUT_OF_RANGE) {
            return Refusal.TIME_OUT_OF_RANGE;
        }
        return result == YEAR_UNKNOWN ? Refusal.TIME_WITHOUT_YEAR : Refusal.BAD_TIME;
    }
}
