package dev.weir.spring.internal;

import java.util.ArrayList;
import java.util.List;

/** Properties or annotations that cannot be used. The application does not start. */
public final class InvalidConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> problems;

    /**
     * Creates an exception.
     *
     * @param problems each with the name of its property, or with its annotation
     */
    public InvalidConfigurationException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = new ArrayList<>(problems);
    }

    /** Returns the problems, each with the name of its property, or with its annotation. */
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
