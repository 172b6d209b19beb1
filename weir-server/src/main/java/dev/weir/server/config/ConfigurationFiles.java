package dev.weir.server.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The files of a configuration: one file, or all {@code .yaml} and {@code .yml} files of a directory. Immutable. */
final class ConfigurationFiles {
    private static final int MAX_BYTES = 3_000_000;

    private final Path path;

    ConfigurationFiles(Path path) {
        this.path = path;
    }

    /**
     * Reads the texts of all files, by their names in order.
     *
     * @throws ConfigurationException if a file cannot be read, is too large or is not UTF-8, or if there is none
     */
    Map<String, String> read() {
        Map<String, String> texts = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (Path file : list(problems)) {
            try {
                String text = Texts.decode(Texts.read(file, MAX_BYTES));
                if (texts.put(file.toString(), text) != null) { // bytes that the locale does not have are one character
                    problems.add(problem(file, "another file has the same name in the character set of the locale"));
                }
            } catch (CharacterCodingException e) {
                problems.add(problem(file, "the file must be UTF-8"));
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

    private List<Path> list(List<Problem> problems) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(ConfigurationFiles::isConfiguration).sorted().toList();
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
