package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Stdout;
import dev.weir.cli.terminal.TerminalSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** One run of the command in this process: what it wrote, byte for byte, and its exit code. */
final class Run {
    private static final Pattern SECOND = Pattern.compile("(?m)^[-0-9]+T[:0-9]+Z  [0-9]+ requests?.*\n");

    private final int code;
    private final byte[] out;
    private final byte[] err;
    private final Charset charset;

    private Run(int code, byte[] out, byte[] err, Charset charset) {
        this.code = code;
        this.out = out;
        this.err = err;
        this.charset = charset;
    }

    static Run weir(String... args) {
        return new Setup().weir(args);
    }

    int code() {
        return code;
    }

    String out() {
        return new String(out, charset);
    }

    byte[] outBytes() {
        return out.clone();
    }

    String err() {
        return new String(err, charset);
    }

    /** The output of a run that succeeded without notes. */
    String answer() {
        assertThat(err()).isEmpty();
        assertThat(code).isZero();
        return out();
    }

    /** The output of a run of {@code weir tail} that succeeded, without the lines that it prints once a second while it reads. */
    String summary() {
        return SECOND.matcher(answer()).replaceAll("");
    }

    /**
     * The one line of a run that failed without output, without the program's name and the newline. {@code weir tail} may have printed
     * lines once a second before.
     */
    String complaint() {
        assertThat(code).isEqualTo(2);
        assertThat(SECOND.matcher(out()).replaceAll("")).isEmpty();
        assertThat(err()).startsWith("weir: ").endsWith("\n").containsOnlyOnce("\n");
        return err().substring("weir: ".length(), err().length() - 1);
    }

    /** The shell that a run happens in; by default it is no terminal and stdin is empty. */
    static final class Setup {
        private final Map<String, String> environment = new HashMap<>();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private InputStream in = new ByteArrayInputStream(new byte[0]);
        private OutputStream out = new ByteArrayOutputStream();
        private boolean outIsTerminal;
        private boolean errIsTerminal;
        private boolean tracesWanted;
        private Supplier<TerminalSize> size = () -> new TerminalSize(Integer.MAX_VALUE, 80);
        private Charset charset = StandardCharsets.UTF_8;

        Setup stdin(String text) {
            return stdin(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        }

        Setup stdin(InputStream stream) {
            in = stream;
            return this;
        }

        Setup stdout(OutputStream stream) {
            out = stream;
            return this;
        }

        Setup terminal(int width) {
            return terminal(() -> new TerminalSize(Integer.MAX_VALUE, width));
        }

        Setup terminal(Supplier<TerminalSize> measured) {
            outIsTerminal = true;
            size = measured;
            return this;
        }

        Setup watched() {
            errIsTerminal = true;
            return this;
        }

        Setup charset(Charset of) {
            charset = of;
            return this;
        }

        Setup environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Expects a stack trace, which is a failure in every other run. */
        Setup debugging() {
            tracesWanted = true;
            return environment("WEIR_DEBUG", "1");
        }

        Run weir(String... args) {
            Shell shell = new Shell(
                    in, new Stdout(out, false), err, outIsTerminal, errIsTerminal, size, charset, environment);
            int code = Weir.run(shell, args);
            byte[] written = out instanceof ByteArrayOutputStream bytes ? bytes.toByteArray() : new byte[0];
            Run run = new Run(code, written, err.toByteArray(), charset);
            assertThat(code).isBetween(0, 2);
            assertThat((run.out() + run.err()).contains("\tat ")).isEqualTo(tracesWanted);
            return run;
        }
    }

    /** An output that fails from the first byte on. */
    static OutputStream failing(String reason) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
