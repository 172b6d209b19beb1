package dev.weir.replay.trace;

/**
 * A line of a log that was skipped, with the reason.
 *
 * @param number the line's number in the unpacked log, counted from 1
 * @param reason the reason, such as {@code no user}
 * @param excerpt the beginning of the line without control characters, safe to print on a terminal
 */
public record SkippedLine(long number, String reason, String excerpt) {}
