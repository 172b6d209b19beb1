package dev.weir.server.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used; its message has a line for each problem. */
public final class ConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    ConfigurationException(List<Problem> problems) {
        super(text(sorted(problems)));
        this.problems = sorted(problems);
    }

    private static String text(List<Problem> problems) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }

    private static List<Problem> sorted(List<Problem> problems) {
        List<Problem> sorted = new ArrayList<>(problems);
        sorted.sort(Comparator.comparing(Problem::file)
                .thenComparingInt(Problem::line)
                .thenComparingInt(Problem::column));
        return List.copyOf(sorted);
    }

    /** {@return the problems, in the order of files and lines; at least one} */
    public List<Problem> problems() {
        return problems;
    }
}
