package dev.weir.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The documentation pages: those at the root, and all of docs/. */
public final class Pages {
    /** The directory that the repository is checked out in. */
    public static final Path ROOT = root();

    private static final String FENCE = "```";

    private Pages() {}

    /**
     * A fenced block of a page.
     *
     * @param page its page, for messages
     * @param language the language of its fence
     */
    public record Block(Path page, String language, List<String> lines) {

        /** All lines, each with its end. */
        public String text() {
            return String.join("\n", lines) + "\n";
        }
    }

    /** The pages, in order of their names. */
    public static List<Path> all() {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All blocks in that language, of all pages. */
    public static List<Block> blocks(String language) {
        return all().stream()
                .flatMap(page -> blocks(page).stream())
                .filter(block -> block.language.equals(language))
                .toList();
    }

    /** The lines of a file. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Block> blocks(Path page) {
        List<Block> blocks = new ArrayList<>();
        List<String> open = null;
        for (String line : lines(page)) {
            if (open == null && line.startsWith(FENCE)) {
                open = new ArrayList<>();
                blocks.add(new Block(ROOT.relativize(page), line.substring(FENCE.length()), open));
            } else if (line.equals(FENCE)) {
                open = null;
            } else if (open != null) {
                open.add(line);
            }
        }
        return blocks;
    }

    /** Tests run in their module's directory. */
    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("README.md"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
