package dev.weir.replay.format;

import dev.weir.replay.trace.SkippedLine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of a log that are no requests: how many, how many of them unreadable, the first five, and what would help. */
final class SkippedLines {
    private static final int MAX_SHOWN = 5;

    private final List<SkippedLine> first = new ArrayList<>();
    private @Nullable SkippedLine firstUnreadable;
    private @Nullable String hint;
    private long count;
    private long unreadable;

    void add(LineReader lines, Refusal refusal) {
        count++;
        if (refusal.unreadable()) {
            unreadable++;
        }
        boolean shown = first.size() < MAX_SHOWN;
        boolean firstOfKind = refusal.unreadable() && firstUnreadable == null;
        boolean firstHint = hint == null && refusal.hint() != null;
        if (shown || firstOfKind || firstHint) {
            SkippedLine line = refusal.skipped(lines);
            if (shown) {
                first.add(line);
            }
            firstUnreadable = firstOfKind ? line : firstUnreadable;
            hint = firstHint ? refusal.hint() : hint;
        }
    }

    long count() {
        return count;
    }

    /** Returns the number of lines that do not fit the format. */
    long unreadable() {
        return unreadable;
    }

    List<SkippedLine> first() {
        return List.copyOf(first);
    }

    /** Returns the first unreadable line if there is one, otherwise the first line. */
    SkippedLine example() {
        return firstUnreadable != null ? firstUnreadable : first.get(0);
    }

    @Nullable
    String hint() {
        return hint;
    }
}
