package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.format.LogFormat;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, version, and failures that no command expects. */
final class WeirTest {

    @Test
    void bare_showsHelp() {
        assertThat(weir().answer())
                .isEqualTo(weir("--help").answer())
                .isEqualTo(weir("-h").answer())
                .startsWith("An exact rate limiter, and what it would have done to your traffic.\n")
                .isEqualTo(weir("help").answer())
                .contains("\n  replay ", "\n  verify ", "\n  generate ", "\n  help ", "\nExamples:\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "replay", "verify", "generate", "help"})
    void help_ofCommand_hasExamplesAndExitCodes(String command) {
        assertThat(weir(command, "--help").answer())
                .isEqualTo(weir(command, "-h").answer())
                .isEqualTo(weir("help", command).answer())
                .isEqualTo(weir("--help", command).answer())
                .contains(
                        "\nUsage: weir " + command,
                        "\nExamples:\n  weir " + command,
                        "\nExit codes:\n  0  ",
                        "\n  2  ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "serve", "replay", "verify", "generate", "help"})
    void help_fits80Columns(String command) {
        String[] args = command.isEmpty() ? new String[] {"-h"} : new String[] {command, "-h"};

        String help = new Run.Setup()
                .terminal(80)
                .environment("NO_COLOR", "1")
                .weir(args)
                .answer();

        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void help_ofReplay_listsEveryFormatAndOption() {
        assertThat(weir("replay", "--help").answer())
                .contains(LogFormat.names())
                .contains("--time-field", "--year", "--client", "--skip-unreadable", "first, last, or N-from-right");
    }

    @Test
    void help_onTerminal_isColoured() {
        assertThat(new Run.Setup().terminal(80).weir("--help").answer()).contains("\u001b[");
        assertThat(weir("--help").answer()).doesNotContain("\u001b");
    }

    @Test
    void version_isOneLine() {
        assertThat(weir("--version").answer()).isEqualTo(weir("-V").answer()).matches("weir \\S.*\n");
    }

    @Test
    void run_closedPipe_endsQuietly() {
        Run run = new Run.Setup().stdout(Run.failing("Broken pipe")).weir("--help");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void run_fullDisk_isReported() {
        Run run = new Run.Setup().stdout(Run.failing("No space left on device")).weir("generate", "--requests", "9");

        assertThat(run.complaint()).isEqualTo("cannot write the answer: No space left on device");
    }

    @Test
    void run_inputFails_isReported() {
        Run run = new Run.Setup()
                .stdin(throwing(new IOException("Input/output error")))
                .weir("replay", "-");

        assertThat(run.complaint()).isEqualTo("cannot read standard input: Input/output error");
    }

    @Test
    void run_outOfMemory_reportsWhatHelps() {
        Run run = new Run.Setup().stdin(throwing(new OutOfMemoryError())).weir("replay", "-");

        assertThat(run.complaint()).startsWith("out of memory; give Java more");
    }

    @Test
    void run_jarReplacedMeanwhile_isAFailure() {
        Run run = new Run.Setup().stdin(throwing(new NoClassDefFoundError("x"))).weir("verify", "--limit", "1/1s", "-");

        assertThat(run.complaint()).startsWith("this should not have happened (java.lang.NoClassDefFoundError: x)");
    }

    @Test
    void run_bug_requestsReport() {
        Run run = new Run.Setup()
                .stdin(throwing(new IllegalStateException("odd")))
                .weir("replay", "-");

        assertThat(run.complaint())
                .isEqualTo("this should not have happened (java.lang.IllegalStateException: odd);"
                        + " please report it, with what WEIR_DEBUG=1 shows");
    }

    @Test
    void run_bugWhenDebugging_showsWhere() {
        Run.Setup setup = new Run.Setup().stdin(throwing(new IllegalStateException("odd")));

        Run run = setup.debugging().weir("replay", "-");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("java.lang.IllegalStateException: odd\n\tat ")
                .contains("\nweir: this should");
    }

    @SuppressWarnings("InputStreamSlowMultibyteRead") // there is nothing to read
    private static InputStream throwing(Throwable failure) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                if (failure instanceof Error error) {
                    throw error;
                } else if (failure instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                throw (IOException) failure;
            }
        };
    }
}
