package dev.weir.replay.trace;

import java.util.Objects;

/**
 * A line of a log that was skipped, with the reason.
 *
 * @param number the line's number in the unpacked log, counted from 1
 * @param reason the reason, such as {@code no user}
 * @param excerpt the beginning of the line without control characters, safe to print on a terminal
 */
public record SkippedLine(long number, String reason, String excerpt) {
    /**
     * Creates an entry.
     *
     * @param number the line's number, counted from 1
     * @param reason the reason
     * @param excerpt the beginning of the line
     */
    public SkippedLine {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(excerpt, "excerpt");
    }
}
