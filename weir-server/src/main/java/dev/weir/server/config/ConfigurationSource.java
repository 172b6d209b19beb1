package dev.weir.server.config;

import dev.weir.Limits;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the configuration is: in files or, if none are named, in the example. Thread-safe. */
public final class ConfigurationSource {
    private static final String EXAMPLE = "example.yaml";

    private final @Nullable Path path;
    private final boolean fixedWindow;
    private final boolean mergeDomains;

    /**
     * Creates a source.
     *
     * @param path a file or a directory, or null for the example
     * @param fixedWindow whether limits without an algorithm are fixed windows
     * @param mergeDomains whether several files may have the same domain
     */
    public ConfigurationSource(@Nullable Path path, boolean fixedWindow, boolean mergeDomains) {
        this.path = path;
        this.fixedWindow = fixedWindow;
        this.mergeDomains = mergeDomains;
    }

    /** Returns the texts of the files, by their names. */
    public Map<String, String> texts() {
        return path == null ? Map.of(EXAMPLE, Resources.text(EXAMPLE)) : new ConfigurationFiles(path).read();
    }

    /**
     * Reads texts.
     *
     * @param check throws an {@link IllegalArgumentException} if the store cannot hold limits
     * @throws ConfigurationException if there is a problem
     */
    public Configuration read(Map<String, String> texts, Consumer<Limits> check) {
        return new ConfigurationReader(fixedWindow, mergeDomains, check).read(texts);
    }
}
