package dev.weir.replay.time;

/** Reads a time from text into nanoseconds since the epoch. Never throws, whatever the text is. */
public interface TimeParser {
    long NOT_A_TIME = Long.MIN_VALUE;
    long OUT_OF_RANGE = Long.MIN_VALUE + 1;
    long YEAR_UNKNOWN = Long.MIN_VALUE + 2;
    long NOT_OF_THE_FORM = Long.MIN_VALUE + 3; // that was given

    /** Returns the time in the bytes {@code from} to {@code to}, or one of the constants. */
    long parse(byte[] text, int from, int to);
}
