package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FollowedFileTest {
    @TempDir
    private Path directory;

    @SuppressWarnings("JdkObsolete") // two threads use it
    private final StringBuffer seen = new StringBuffer();

    private Path log;
    private FollowedFile followed;
    private Thread reader;

    @BeforeEach
    void createLog() throws IOException {
        log = Files.writeString(directory.resolve("access.log"), "");
    }

    private void follow() throws IOException {
        follow(1_000_000);
    }

    private void follow(long pollNanos) throws IOException {
        followed = new FollowedFile(log, pollNanos);
        reader = new Thread(this::read);
    }

    private void read() {
        byte[] bytes = new byte[7];
        try {
            while (true) {
                int read = followed.read(bytes, 0, bytes.length);
                seen.append(new String(bytes, 0, read, StandardCharsets.UTF_8));
            }
        } catch (InterruptedIOException stopped) {
            seen.append("<stopped>");
        } catch (IOException e) {
            seen.append(e);
        }
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        reader.interrupt();
        reader.join();
        followed.close();
        assertThat(seen).endsWith("<stopped>");
    }

    private void append(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.APPEND);
    }

    private void awaitSeen(String text) {
        Await.until("'" + text + "' is read", () -> seen.toString().equals(text), () -> ", but '" + seen + "'");
    }

    @Test
    void read_fileThatGrows_continues() throws IOException {
        append("one\n");
        follow();
        reader.start();
        awaitSeen("one\n");

        append("tw");
        awaitSeen("one\ntw");
        append("o\nthree\n");

        awaitSeen("one\ntwo\nthree\n");
    }

    @Test
    void read_fileReplaced_readsItsRestAndThenTheNewOne() throws IOException {
        follow();
        reader.start();
        append("one\n");
        awaitSeen("one\n");

        Files.move(log, directory.resolve("access.log.1"));
        Files.writeString(directory.resolve("access.log.1"), "two", StandardOpenOption.APPEND);
        awaitSeen("one\ntwo");
        Files.writeString(log, "three\n");

        awaitSeen("one\ntwo\nthree\n"); // with an end for the line that had none
    }

    /** Programs that rotate logs create the new file first; the server writes to the old one until it is told to open the new one. */
    @Test
    void read_newFileIsEmpty_continuesWithTheOldOne() throws IOException {
        append("one\n");
        follow();
        Path old = Files.move(log, directory.resolve("access.log.1"));
        Files.createFile(log);
        reader.start();
        awaitSeen("one\n");
        Await.until("the new file is noticed", () -> reader.getState() == Thread.State.TIMED_WAITING);

        Files.writeString(old, "two\n", StandardOpenOption.APPEND);
        awaitSeen("one\ntwo\n");
        append("three\n");

        awaitSeen("one\ntwo\nthree\n");
    }

    /** Each file has another link, so that no later one gets its identity. */
    @Test
    void read_fileReplacedAgainAndAgain_readsNoneTwice() throws IOException {
        int files = 4_000;
        for (int i = 0; i < files; i++) {
            Path file = Files.writeString(directory.resolve("access.log." + i), i + "\n");
            Files.createLink(directory.resolve("next." + i), file);
        }
        follow(1);
        reader.start();

        for (int i = 0; i < files; i++) {
            Files.move(directory.resolve("next." + i), log, StandardCopyOption.ATOMIC_MOVE);
        }
        append("end\n");

        Await.until("the end is read", () -> seen.toString().endsWith("\nend\n"));
        assertThat(seen.toString().lines()).doesNotHaveDuplicates();
    }

    @Test
    void read_interruptedBefore_isInterrupted() throws IOException {
        append("a line\n");
        follow();
        reader = new Thread(() -> {
            Thread.currentThread().interrupt(); // the file system notices it before the wait does
            read();
        });
        reader.start();
        awaitSeen("<stopped>");
    }

    @Test
    void read_fileTruncated_beginsAgain() throws IOException {
        append("a long line\n");
        follow();
        reader.start();
        awaitSeen("a long line\n");

        Files.writeString(log, "new\n", StandardOpenOption.TRUNCATE_EXISTING);

        awaitSeen("a long line\nnew\n");
    }

    @Test
    void read_fileDeletedAndCreated_readsTheNewOne() throws IOException {
        append("one\n");
        follow();
        reader.start();
        awaitSeen("one\n");

        Files.delete(log);
        Files.writeString(log, "two\n");

        awaitSeen("one\ntwo\n");
    }

    @Test
    void skipToEnd_linesBefore_areNotRead() throws IOException {
        append("header\none\npart");
        follow();

        assertThat(new String(followed.skipToEnd(), StandardCharsets.UTF_8)).isEqualTo("header\none\n");
        reader.start();
        awaitSeen("part");
        append("ial\n");

        awaitSeen("partial\n");
    }

    @Test
    void skipToEnd_largeFile_returnsOnlyItsBeginning() throws IOException {
        append("0123456789abcde\n".repeat(10_000));
        follow();

        assertThat(followed.skipToEnd()).hasSize(1 << 16);
        reader.start();
        append("new\n");

        awaitSeen("new\n");
    }

    /** The names of a W3C log's columns can change while it is written. The last ones are also found across two blocks. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 1_048_559, 1_048_560, 1_048_561, 1_048_567, 1_048_568, 1_048_569, 1_048_575, 1_048_576, 3_000_000
            })
    void skipToEnd_fieldsChanged_returnsTheLastOnes(int more) throws IOException {
        String head = "#Fields: c-ip\n" + "x".repeat((1 << 16) - 15) + "\n"; // 64 KiB
        append(head + "#Fields: date\n#Fields: s-ip\n" + "\n".repeat(more) + "#Fields: tim");
        follow();

        String skipped = new String(followed.skipToEnd(), StandardCharsets.UTF_8);
        reader.start();

        assertThat(skipped.equals(head + "#Fields: s-ip\n"))
                .as("the last fields")
                .isTrue();
        awaitSeen("#Fields: tim");
    }

    @Test
    void skipToEnd_fieldsNamedInALine_areNotSearchedFor() throws IOException {
        String head = "203.0.113.9 \"#Fields:\"\n".repeat(5_000);
        append(head + "#Fields: date\n");
        follow();

        assertThat(followed.skipToEnd()).hasSizeLessThanOrEqualTo(1 << 16);
        reader.start();
    }

    @Test
    void skipToEnd_oneLineWithoutEnd_isReadWhole() throws IOException {
        append("part");
        follow();

        assertThat(followed.skipToEnd()).isEmpty();
        reader.start();

        awaitSeen("part");
    }
}
