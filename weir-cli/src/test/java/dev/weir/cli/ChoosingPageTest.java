package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.docs.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/choosing-a-limit.md: its quotations and the rows of its tables are text of the report that its first command makes. */
final class ChoosingPageTest {
    private static final List<String> PAGE = Pages.lines(Pages.ROOT.resolve("docs/choosing-a-limit.md"));
    private static final Path IMAGE = Pages.ROOT.resolve("docs/images/replay-report.png");
    private static final String COMMAND = "./weir replay --limit 60/1m --limit \"fixed-window 60/1m\" --limit "
            + "\"token-bucket 60/1m\" --report report.html examples/access.log";
    private static final Pattern ROW = Pattern.compile("\\| \\d.*");

    @TempDir
    private Path directory;

    @Test
    void quotations_areTextOfTheReport() throws IOException {
        List<String> quoted = PAGE.stream()
                .filter(line -> line.startsWith("> "))
                .map(line -> line.substring(2))
                .toList();

        assertThat(quoted).hasSizeGreaterThan(4);
        assertThat(quoted).allSatisfy(quotation -> assertThat(report()).contains(quotation));
    }

    @Test
    void tables_areTextOfTheReport() throws IOException {
        List<String> rows = PAGE.stream()
                .filter(line -> ROW.matcher(line).matches())
                .map(line -> line.replace("|", " ").strip().replaceAll(" +", " "))
                .toList();

        assertThat(rows).hasSizeGreaterThan(6);
        assertThat(rows).allSatisfy(row -> assertThat(report()).contains(" " + row + " "));
    }

    @Test
    void picture_isSmall() {
        assertThat(IMAGE)
                .exists()
                .satisfies(image -> assertThat(Files.size(image)).isLessThan(150_000));
    }

    /** The report as text, one space between words. */
    private String report() throws IOException {
        assertThat(PAGE).contains(COMMAND);
        Path file = directory.resolve("report.html");
        if (!Files.exists(file)) {
            String example = Pages.ROOT.resolve("examples/access.log").toString();
            String[] args = {
                "replay",
                "--limit",
                "60/1m",
                "--limit",
                "fixed-window 60/1m",
                "--limit",
                "token-bucket 60/1m",
                "--report",
                file.toString(),
                example
            };
            assertThat(Run.weir(args).answer()).isNotEmpty();
        }
        String body = Files.readString(file).replaceFirst("(?s).*<body>", "");
        return body.replaceAll("<[^>]*>", " ").replace('\u00a0', ' ').replaceAll("\\s+", " ");
    }
}
