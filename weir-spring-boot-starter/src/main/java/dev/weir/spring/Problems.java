package dev.weir.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects what is wrong with the configuration, so that all of it is reported at once. Not thread-safe. */
final class Problems {
    private final List<String> found = new ArrayList<>();

    /** Adds a problem of a property. */
    void add(String property, String problem) {
        found.add(property + ": " + problem);
    }

    /** Returns whether a problem of a property, or of one of its elements, was added. */
    boolean has(String property) {
        return found.stream()
                .anyMatch(problem -> problem.startsWith(property + ":") || problem.startsWith(property + "["));
    }

    /** Returns what the parser returns; empty if it throws an IllegalArgumentException, which becomes a problem of the property. */
    <T> Optional<T> parse(String property, Supplier<T> parser) {
        try {
            return Optional.of(parser.get());
        } catch (IllegalArgumentException invalid) {
            add(property, String.valueOf(invalid.getMessage()));
            return Optional.empty();
        }
    }

    /**
     * Throws if there is a problem.
     *
     * @throws InvalidConfigurationException with all problems
     */
    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidConfigurationException(found);
        }
    }
}
