package dev.weir.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The goals for programs: a list of objects, one a line. */
public final class Json {
    private static final int DECIMALS = 3;

    private Json() {}

    /** The text of a file. */
    public static String of(List<GoalResult> results) {
        return results.stream().map(Json::object).collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private static String object(GoalResult result) {
        return String.format(
                Locale.ROOT,
                "{\"name\":\"%s\",\"ratio\":%s,\"must\":%s,\"aim\":%s,\"better\":\"%s\"}",
                quoted(result.name()),
                Unit.decimals(result.ratio(), DECIMALS + result.moreDecimals()),
                result.must(),
                result.aim(),
                result.better().word());
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
