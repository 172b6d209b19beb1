package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** CONTRIBUTING.md names the modules of the build, and those that are published. */
final class ModulesTest {
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
    private static final Pattern PUBLISHED = Pattern.compile("Published are([^:]+):");
    private static final Pattern NAME = Pattern.compile("weir-[a-z-]+");

    private static String text(String file) throws IOException {
        return Files.readString(Pages.ROOT.resolve(file));
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void table_hasEachModuleOfTheBuild() throws IOException {
        assertThat(found(ROW, text("CONTRIBUTING.md")))
                .containsExactlyInAnyOrderElementsOf(found(MODULE, text("pom.xml")));
    }

    @Test
    void release_namesThePublishedModules() throws IOException {
        List<String> published = new ArrayList<>();
        for (String module : found(MODULE, text("pom.xml"))) {
            if (text(Path.of(module, "pom.xml").toString()).contains("<maven.deploy.skip>false<")) {
                published.add(module);
            }
        }
        String sentence = found(PUBLISHED, text("CONTRIBUTING.md")).get(0);

        assertThat(NAME.matcher(sentence).results().map(name -> name.group()))
                .containsExactlyInAnyOrderElementsOf(published);
    }
}
