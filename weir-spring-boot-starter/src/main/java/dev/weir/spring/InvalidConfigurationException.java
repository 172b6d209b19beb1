package dev.weir.spring;

import java.util.ArrayList;
import java.util.List;

/** Properties that cannot be used. The application does not start. */
final class InvalidConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> problems;

    InvalidConfigurationException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = new ArrayList<>(problems);
    }

    /** Returns the problems, each with the name of its property. */
    List<String> problems() {
        return List.copyOf(problems);
    }
}
