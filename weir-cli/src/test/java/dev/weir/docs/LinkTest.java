package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The targets of the links on the pages exist. */
final class LinkTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)]+)\\)");
    private static final String ELSEWHERE = "https://";

    @Test
    void pages_relativeLinks_leadToFilesAndHeadings() {
        assertThat(Pages.all())
                .allSatisfy(page -> assertThat(targets(page)).allSatisfy(target -> {
                    String[] parts = target.split("#", 2);
                    Path file = parts[0].isEmpty()
                            ? page
                            : page.resolveSibling(parts[0]).normalize();
                    assertThat(file)
                            .exists()
                            .satisfies(found ->
                                    assertThat(found.startsWith(Pages.ROOT)).isTrue());
                    if (parts.length == 2) {
                        assertThat(anchors(file)).contains(parts[1]);
                    }
                }));
    }

    @Test
    void docs_everyPage_isReachedFromReadme() {
        Path readme = Pages.ROOT.resolve("README.md");
        List<String> linked = targets(readme);

        assertThat(Pages.all())
                .filteredOn(page -> !page.equals(readme))
                .allSatisfy(page ->
                        assertThat(linked).contains(Pages.ROOT.relativize(page).toString()));
    }

    private static List<String> targets(Path page) {
        return Pages.lines(page).stream()
                .flatMap(line -> LINK.matcher(line).results())
                .map(link -> link.group(1))
                .filter(target -> !target.startsWith(ELSEWHERE))
                .toList();
    }

    /** The headings as GitHub names them. */
    private static List<String> anchors(Path page) {
        if (!Files.isRegularFile(page) || !page.toString().endsWith(".md")) {
            return List.of();
        }
        return Pages.lines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(heading -> heading.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{Alnum} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
