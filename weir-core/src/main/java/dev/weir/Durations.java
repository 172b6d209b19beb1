package dev.weir;

import java.util.List;
import java.util.Map;

/** The units in which limits state durations. */
final class Durations {
    /** The length of each unit in nanoseconds. */
    static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "min", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L,
            "w", 604_800_000_000_000L);

    private static final List<String> LONGEST_FIRST = List.of("w", "d", "h", "m", "s", "ms", "us");

    private Durations() {}

    /** Writes a duration in the largest unit that divides it: 60 s is {@code 1m}, 90 s is {@code 90s}, and zero {@code 0s}. */
    static String text(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        for (String unit : LONGEST_FIRST) {
            long length = UNITS.getOrDefault(unit, 1L);
            if (nanos % length == 0) {
                return nanos / length + unit;
            }
        }
        return nanos + "ns";
    }
}
