package dev.weir.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A page in docs/, and its fenced blocks. */
final class Page {
    private static final String FENCE = "```";

    private final List<String> lines;

    Page(String name) throws IOException {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("README.md"))) {
            directory = directory.getParent();
        }
        lines = Files.readAllLines(directory.resolve("docs").resolve(name));
    }

    List<String> lines() {
        return lines;
    }

    /** Returns the texts of all blocks in a language. */
    List<String> blocks(String language) {
        List<String> blocks = new ArrayList<>();
        StringBuilder open = null;
        for (String line : lines) {
            if (open == null && line.strip().equals(FENCE + language)) {
                open = new StringBuilder();
            } else if (line.strip().equals(FENCE) && open != null) {
                blocks.add(open.toString());
                open = null;
            } else if (open != null) {
                open.append(line).append('\n');
            }
        }
        return blocks;
    }
}
