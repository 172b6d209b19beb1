package dev.weir.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The configuration in force. It is replaced as a whole; a request reads it once. Thread-safe; one thread replaces. */
final class LiveConfiguration {
    private final Consumer<Configuration> listener;
    private volatile InForce inForce;
    private volatile List<Problem> problems = List.of();
    private volatile int version = 1;

    /**
     * A configuration that is in force.
     *
     * @param configuration the configuration
     * @param texts the text of each of its files by its name
     * @param since when it came into force
     */
    record InForce(Configuration configuration, Map<String, String> texts, Instant since) {}

    /**
     * Puts a configuration in force.
     *
     * @param texts the text of each of its files by its name
     * @param listener is notified of each configuration before it is in force, also of this one
     */
    LiveConfiguration(Configuration configuration, Map<String, String> texts, Consumer<Configuration> listener) {
        this.listener = listener;
        listener.accept(configuration);
        this.inForce = new InForce(configuration, texts, Instant.now());
    }

    Configuration current() {
        return inForce.configuration;
    }

    /** Returns the configuration in force, and where it is from. */
    InForce inForce() {
        return inForce;
    }

    /** Returns why the latest files are not in force; empty if they are. */
    List<Problem> problems() {
        return problems;
    }

    /** Returns a number that grows when any of this changes. */
    int version() {
        return version;
    }

    /** Puts a configuration in force. */
    void replace(Configuration configuration, Map<String, String> texts) {
        listener.accept(configuration);
        inForce = new InForce(configuration, texts, Instant.now());
        change(List.of());
    }

    /** Keeps the configuration in force. */
    void reject(List<Problem> reasons) {
        change(List.copyOf(reasons));
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread replaces
    private void change(List<Problem> reasons) {
        problems = reasons;
        version++;
    }
}
