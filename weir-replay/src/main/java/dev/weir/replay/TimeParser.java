package dev.weir.replay;

import org.jspecify.annotations.Nullable;

/** Reads a time from text into nanoseconds since the epoch. Never throws, whatever the text is. */
interface TimeParser {
    long NOT_A_TIME = Long.MIN_VALUE;
    long OUT_OF_RANGE = Long.MIN_VALUE + 1;

    /** The time in the bytes {@code from} to {@code to}, or one of the two constants. */
    long parse(byte[] text, int from, int to);

    /** Why a result is no time; null if it is one. */
    static @Nullable String refusal(long result) {
        if (result == NOT_A_TIME) {
            return LineParser.NO_TIME;
        }
        return result == OUT_OF_RANGE ? LineParser.TIME_OUT_OF_RANGE : null;
    }
}
