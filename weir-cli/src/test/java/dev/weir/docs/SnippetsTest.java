package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every Java snippet of the pages is a region of a test, {@code *PageTest} of any module, and every region is on a page; so what
 * readers copy compiles and does what the page says.
 */
final class SnippetsTest {
    @Test
    void snippets_areTheRegionsOfTheTests() throws IOException {
        List<String> snippets =
                Pages.blocks("java").stream().map(Pages.Block::text).toList();

        assertThat(snippets).containsExactlyInAnyOrderElementsOf(regions());
    }

    private static List<String> regions() throws IOException {
        List<String> regions = new ArrayList<>();
        for (Path tests : folders()) {
            try (Stream<Path> files = Files.walk(tests)) {
                files.filter(file -> file.toString().endsWith("PageTest.java"))
                        .forEach(file -> addRegions(regions, file));
            }
        }
        return regions;
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> modules = Files.list(Pages.ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static void addRegions(List<String> regions, Path file) {
        List<String> open = null;
        for (String line : Pages.lines(file)) {
            if (line.strip().equals("// region")) {
                open = new ArrayList<>();
            } else if (line.strip().equals("// endregion") && open != null) {
                regions.add(String.join("\n", open).stripIndent() + "\n");
                open = null;
            } else if (open != null) {
                open.add(line);
            }
        }
    }
}
