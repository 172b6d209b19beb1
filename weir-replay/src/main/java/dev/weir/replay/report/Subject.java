package dev.weir.replay.report;

import dev.weir.replay.analysis.Curve.Point;
import dev.weir.replay.analysis.Suggestions;

/**
 * What the keys of a report are called.
 *
 * @param one one of them
 * @param many several of them
 * @param kind several of them where they are first mentioned
 */
record Subject(String one, String many, String kind) {
    /** Returns the words for keys by their name on the command line. */
    static Subject of(String key) {
        return switch (key) {
            case "ip" -> new Subject("client", "clients", "client addresses");
            case "user" -> new Subject("user", "users", "users");
            case "path" -> new Subject("path", "paths", "paths");
            default -> new Subject("key", "keys", "keys");
        };
    }

    /** Returns whether the keys are addresses. */
    boolean isAddress() {
        return one.equals("client");
    }

    /** Returns the keys that a suggestion never denies: {@code 95 % of clients}, rounded down, or {@code 11 of 12 clients}. */
    String neverDenied(Point suggestion, int keys) {
        int never = keys - suggestion.deniedKeys();
        return Suggestions.areOfFew(keys)
                ? Words.number(never) + " of " + count(keys)
                : Words.share(1000L * never / keys) + " of " + many;
    }

    String count(long number) {
        return Words.count(number, one, many);
    }
}
