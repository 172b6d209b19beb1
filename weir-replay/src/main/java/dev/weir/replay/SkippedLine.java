package dev.weir.replay;

import java.util.Objects;

/**
 * A line of a log that was skipped, and why.
 *
 * @param number the line's number in the (unpacked) log, from 1
 * @param reason the fault, such as {@code no user}
 * @param excerpt the line's beginning, safe to print on a terminal
 */
public record SkippedLine(long number, String reason, String excerpt) {
    public SkippedLine {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(excerpt, "excerpt");
    }
}
