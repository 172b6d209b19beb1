package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are a configuration, and why they cannot be read. */
final class ConfigurationSourceTest {
    private static Map<Path, String> texts(Path path) {
        return new ConfigurationSource(path, false, false).texts();
    }

    @Test
    void files_ofDirectory_areReadByName(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("b.yml"), "domain: b\n");
        Files.writeString(directory.resolve("a.yaml"), "domain: a\n");
        Files.writeString(directory.resolve(".hidden.yaml"), "domain: c\n");
        Files.writeString(directory.resolve("note.txt"), "nothing");

        assertThat(texts(directory).values()).containsExactly("domain: a\n", "domain: b\n");
    }

    @Test
    void files_thatCannotBeRead_areReported(@TempDir Path directory) throws IOException {
        Path latin = Files.write(directory.resolve("latin.yaml"), new byte[] {'a', (byte) 0xe4});
        Path empty = Files.createDirectory(directory.resolve("empty"));

        assertThat(catchThrowableOfType(ConfigurationException.class, () -> texts(directory.resolve("none"))))
                .hasMessage(directory.resolve("none") + ": cannot be read: there is no such file");
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> texts(latin)))
                .hasMessage(latin + ": cannot be read: it is not UTF-8");
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> texts(empty)))
                .hasMessage(empty + ": there is no .yaml or .yml file in this directory");
    }

    /** Names in Latin-1: what the character set of the locale does not have is the same in both. */
    @Test
    void names_thatAreTheSameInTheLocale_areAllRead(@TempDir Path directory) throws Exception {
        Process written = new ProcessBuilder(
                        "sh", "-c", "for n in '\\344' '\\366'; do echo 'domain: d' > \"$(printf $n)\".yaml; done")
                .directory(directory.toFile())
                .start();
        assertThat(written.waitFor()).isZero();

        assertThat(texts(directory)).hasSize(2);
    }

    @Test
    void link_toAMissingFile_isReported(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("a.yaml"), "domain: a\n");
        Path link = Files.createSymbolicLink(directory.resolve("b.yaml"), directory.resolve("missing.yaml"));

        assertThat(catchThrowableOfType(ConfigurationException.class, () -> texts(directory)))
                .hasMessage(link + ": cannot be read: there is no such file");
    }

    /** The system's message, not the name of the exception's class. */
    @Test
    void link_toItself_isReportedWithTheReason(@TempDir Path directory) throws IOException {
        Path loop = directory.resolve("loop.yaml");
        Files.createSymbolicLink(loop, loop);

        assertThat(catchThrowableOfType(ConfigurationException.class, () -> texts(directory)))
                .hasMessageStartingWith(loop + ": cannot be read: ")
                .hasMessageMatching("(?s).*: cannot be read: (?!FileSystem).*[a-z]+ [a-z]+.*");
    }

    /** The network of a process that has ended, and whose parent does not ask how: the directory opens, and cannot be read. */
    @Test
    void directory_failsWhenItIsRead_isReported() throws Exception {
        Process parent =
                new ProcessBuilder("sh", "-c", "exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 600").start();
        try {
            Path ended =
                    Path.of("/proc", parent.inputReader(StandardCharsets.UTF_8).readLine());
            Path name = Path.of("/proc", Long.toString(parent.pid()), "comm");
            Await.until(
                    "the parent waits for nothing", () -> Files.readString(name).equals("sleep\n"));
            parent.getOutputStream().close();
            Await.until(
                    "the child has ended",
                    () -> Files.readString(ended.resolve("stat")).contains(") Z "));
            Path directory = ended.resolve("net");

            assertThat(catchThrowableOfType(ConfigurationException.class, () -> texts(directory)))
                    .hasMessageStartingWith(directory + ": cannot be read: ");
        } finally {
            parent.destroy();
        }
    }
}
