package dev.weir.spring.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects what is wrong with properties or annotations, so that all of it is reported at once. Not thread-safe. */
public final class Problems {
    private final List<String> found = new ArrayList<>();

    /** Adds a problem of a property, or of an annotation. */
    public void add(String place, String problem) {
        found.add(place + ": " + problem);
    }

    /** Returns whether a problem of a property, or of one of its elements, was added. */
    public boolean has(String property) {
        return found.stream()
                .anyMatch(problem -> problem.startsWith(property + ":") || problem.startsWith(property + "["));
    }

    /** Returns what the parser returns; empty if it throws an IllegalArgumentException, which becomes a problem. */
    public <T> Optional<T> parse(String place, Supplier<T> parser) {
        try {
            return Optional.of(parser.get());
        } catch (IllegalArgumentException invalid) {
            add(place, String.valueOf(invalid.getMessage()));
            return Optional.empty();
        }
    }

    /**
     * Throws if there is a problem.
     *
     * @throws InvalidConfigurationException with all problems
     */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidConfigurationException(found);
        }
    }
}
