package dev.weir.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Small logs whose figures can be counted by hand. */
final class Logs {
    /*
     * The seconds of their requests; limit 2/10s:
     *   ann  9 9 9 10 10 10   sliding log admits 9 9, fixed window 9 9 10 10
     *   bob  0 30             never too often
     *   cy   0 1 2            2 is one too many
     */
    static final String COMBINED = String.join(
            "\n",
            line("bob", "-", "/", 0),
            line("cy", "carl", "/a", 0),
            line("cy", "carl", "/a", 1),
            line("cy", "carl", "/a", 2),
            line("ann", "-", "/b", 9),
            line("ann", "-", "/b", 9),
            line("ann", "-", "/b", 9),
            line("ann", "-", "/b", 10),
            line("ann", "-", "/b", 10),
            line("ann", "-", "/b", 10),
            line("bob", "-", "/", 30),
            "");

    private Logs() {}

    static String line(String host, String user, String path, int second) {
        return host + " - " + user + " [02/Mar/2026:10:00:" + (second < 10 ? "0" : "") + second + " +0000] \"GET "
                + path + " HTTP/1.1\" 200 7 \"-\" \"-\"";
    }

    static String file(Path directory, String content) {
        return file(directory, content.getBytes(StandardCharsets.UTF_8));
    }

    static String file(Path directory, byte[] content) {
        try {
            Path file = Files.createTempFile(directory, "log", "");
            return Files.write(file, content).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
