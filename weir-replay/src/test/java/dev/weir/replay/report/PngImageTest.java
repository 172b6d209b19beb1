package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PngImageTest {
    @Test
    void of_noDirectoryForTemporaryFiles_isDrawn(@TempDir Path directory) throws IOException {
        Path removed = Files.createDirectory(directory.resolve("removed"));
        Markup svg = new Markup("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"/>");
        ImageIO.setCacheDirectory(removed.toFile());
        try {
            Files.delete(removed);

            assertThat(PngImage.of(svg)).isNotEmpty();
        } finally {
            ImageIO.setCacheDirectory(null);
        }
    }
}
