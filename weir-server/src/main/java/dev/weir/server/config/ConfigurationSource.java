package dev.weir.server.config;

import dev.weir.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the configuration is: in one file, in all {@code .yaml} and {@code .yml} files of a directory or, if none is named, in the
 * example. Thread-safe.
 */
public final class ConfigurationSource {
    private static final String EXAMPLE = "example.yaml";
    private static final int MAX_BYTES = 3_000_000;

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

    /**
     * Reads the texts of all files, in the order of their paths.
     *
     * @throws ConfigurationException if a file cannot be read, is too large or is not UTF-8, or if there is none
     */
    public Map<Path, String> texts() {
        return path == null ? Map.of(Path.of(EXAMPLE), Resources.text(EXAMPLE)) : texts(path);
    }

    /**
     * Reads texts.
     *
     * @param check throws an {@link IllegalArgumentException} if the store cannot hold limits
     * @throws ConfigurationException if there is a problem
     */
    public Configuration read(Map<Path, String> texts, Consumer<Limits> check) {
        return new ConfigurationReader(fixedWindow, mergeDomains, check).read(texts);
    }

    private static Map<Path, String> texts(Path path) {
        Map<Path, String> texts = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (Path file : list(path, problems)) {
            try {
                texts.put(file, Texts.decode(Texts.read(file, MAX_BYTES)));
            } catch (IOException e) {
                problems.add(problem(file, "cannot be read: " + Texts.reason(e)));
            }
        }
        if (texts.isEmpty() && problems.isEmpty()) {
            problems.add(problem(path, "there is no .yaml or .yml file in this directory"));
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return texts;
    }

    private static List<Path> list(Path path, List<Problem> problems) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(ConfigurationSource::isConfiguration).sorted().toList();
        } catch (IOException e) {
            problems.add(problem(path, "cannot be read: " + Texts.reason(e)));
        } catch (UncheckedIOException e) { // after the first entries
            problems.add(problem(path, "cannot be read: " + Texts.reason(Objects.requireNonNull(e.getCause()))));
        }
        return List.of();
    }

    /**
     * Hidden entries are left out: in a mounted ConfigMap they are the targets of the links to read. A link to a file that is missing
     * or cannot be reached is not: without its rules, more would be allowed than is configured.
     */
    private static boolean isConfiguration(Path file) {
        String name = String.valueOf(file.getFileName());
        return !name.startsWith(".")
                && (name.endsWith(".yaml") || name.endsWith(".yml"))
                && (Files.isRegularFile(file) || !Files.exists(file));
    }

    private static Problem problem(Path file, String message) {
        return new Problem(file.toString(), 0, 0, message);
    }
}
