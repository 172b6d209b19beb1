package dev.weir.server.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. Its message has a line for each of the first 100 problems, and one for the number of others. */
public final class ConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** The log and the dashboard show all lines: a mistake that each rule repeats has as many problems as there are rules. */
    private static final int MOST_LINES = 100;

    private final transient List<Problem> problems;

    ConfigurationException(List<Problem> problems) {
        super(text(sorted(problems)));
        this.problems = sorted(problems);
    }

    private static String text(List<Problem> problems) {
        int more = problems.size() - MOST_LINES;
        String lines =
                problems.stream().limit(MOST_LINES).map(Problem::toString).collect(Collectors.joining("\n"));
        return more <= 0 ? lines : lines + "\nand " + more + (more == 1 ? " more problem" : " more problems");
    }

    private static List<Problem> sorted(List<Problem> problems) {
        List<Problem> sorted = new ArrayList<>(problems);
        sorted.sort(Comparator.comparing(Problem::file)
                .thenComparingInt(Problem::line)
                .thenComparingInt(Problem::column));
        return List.copyOf(sorted);
    }

    /** {@return the problems, all of them, in the order of files and lines; at least one} */
    public List<Problem> problems() {
        return problems;
    }
}
