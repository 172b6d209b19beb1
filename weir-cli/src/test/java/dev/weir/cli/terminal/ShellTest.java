package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shell and what it is made of. */
final class ShellTest {
    private static final OutputStream CLOSED = new OutputStream() {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("Relais brisé");
        }
    };

    private static Shell shell(OutputStream out, OutputStream err) {
        return shell(out, err, true, Map.of());
    }

    private static Shell shell(
            OutputStream out, OutputStream err, boolean outIsTerminal, Map<String, String> environment) {
        return new Shell(
                InputStream.nullInputStream(),
                new Stdout(out, true),
                err,
                outIsTerminal,
                true,
                () -> new TerminalSize(Integer.MAX_VALUE, 50),
                StandardCharsets.UTF_8,
                environment);
    }

    @Test
    void answer_text_goesToStdout() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        shell(out, CLOSED).answer("äh\n");

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("äh\n");
    }

    @Test
    void answer_closedPipe_isDistinguished() {
        assertThatThrownBy(() -> shell(CLOSED, CLOSED).answer("x"))
                .isInstanceOfSatisfying(
                        Stdout.Failure.class, e -> assertThat(e.isClosedPipe()).isTrue());
        assertThatThrownBy(() -> new Stdout(CLOSED, false).write(1))
                .isInstanceOfSatisfying(
                        Stdout.Failure.class, e -> assertThat(e.isClosedPipe()).isFalse());
    }

    @Test
    void note_closedStderr_isIgnored() {
        shell(CLOSED, CLOSED).note("this is not read");
    }

    @Test
    void page_terminalInUtf8_hasColoursAndUnicode() {
        assertThat(shell(CLOSED, CLOSED).page()).isEqualTo(new Page(50, true, true, true));
    }

    @Test
    void columns_answerInFile_areNotThoseOfTheTerminal() {
        assertThat(shell(CLOSED, CLOSED).page().columns()).isEqualTo(50);
        assertThat(shell(CLOSED, CLOSED, false, Map.of()).page().columns()).isEqualTo(80);
        assertThat(shell(CLOSED, CLOSED, false, Map.of("COLUMNS", "120")).page().columns())
                .isEqualTo(120);
    }

    @Test
    void withoutProgress_keepsTheRest() {
        Shell shell = shell(CLOSED, CLOSED);

        assertThat(shell.showsProgress()).isTrue();
        assertThat(shell.withoutProgress().showsProgress()).isFalse();
        assertThat(shell.withoutProgress().page()).isEqualTo(shell.page());
    }

    @ParameterizedTest
    @CsvSource({
        "/dev/pts/0, true",
        "/dev/tty, true",
        "/dev/tty1, true",
        "/dev/console, true",
        "/dev/null, false",
        "pipe:[1234], false",
        "/home/me/dev/pts/0, false",
        "'', false"
    })
    void isTerminal_target_isDetected(String target, boolean terminal) {
        assertThat(Probe.isTerminal(target)).isEqualTo(terminal);
    }

    @ParameterizedTest
    @CsvSource({"80, 80", "' 132\n', 132", "3, 20", "99999, 1000", "0, 0", "-5, 0", "'', 0", "wide, 0"})
    void columns_text_isMadeSensible(String text, int columns) {
        assertThat(TerminalSize.columns(text)).isEqualTo(columns);
    }

    @ParameterizedTest
    @CsvSource({
        "24 100, '', 24, 100",
        "24 100, 60, 24, 60",
        "'', 60, 2147483647, 60",
        "'', '', 2147483647, 80",
        "0 0, wide, 2147483647, 80",
    })
    void size_reportedAndGiven_isMadeSensible(String reported, String given, int rows, int columns) {
        assertThat(TerminalSize.of(reported, given)).isEqualTo(new TerminalSize(rows, columns));
    }
}
