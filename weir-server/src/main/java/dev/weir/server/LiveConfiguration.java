package dev.weir.server;

import java.util.List;

/** The configuration in force. It is replaced as a whole; a request reads it once. Thread-safe. */
final class LiveConfiguration {
    private volatile Configuration current;
    private volatile List<Problem> problems = List.of();

    LiveConfiguration(Configuration current) {
        this.current = current;
    }

    Configuration current() {
        return current;
    }

    /** Returns why the latest files are not in force; empty if they are. */
    List<Problem> problems() {
        return problems;
    }

    /** Puts a configuration in force. */
    void replace(Configuration configuration) {
        current = configuration;
        problems = List.of();
    }

    /** Keeps the configuration in force. */
    void reject(List<Problem> reasons) {
        problems = List.copyOf(reasons);
    }
}
