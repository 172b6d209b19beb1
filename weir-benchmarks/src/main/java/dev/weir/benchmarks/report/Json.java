package dev.weir.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The goals for programs: a list of objects, one a line. */
public final class Json {
    private Json() {}

    /** The text of a file. */
    public static String of(List<GoalResult> results) {
        return results.stream().map(Json::object).collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private static String object(GoalResult result) {
        return String.format(
                Locale.ROOT,
                "{\"name\":\"%s\",\"ratio\":%.3f,\"must\":%s,\"aim\":%s,\"better\":\"lower\"}",
                quoted(result.name()),
                result.ratio(),
                result.must(),
                result.aim());
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
