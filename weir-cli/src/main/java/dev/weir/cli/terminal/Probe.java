package dev.weir.cli.terminal;

import java.io.Console;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds out about the streams that Java was started with. */
public final class Probe {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;

    /*
     * Java asks only whether stdin and stdout are both terminals (and since 22 its Console is there even if they are
     * not), which is wrong for `weir replay - <log` and says nothing of stderr. So, in this order: the properties
     * weir.stdout and weir.stderr, which ./weir sets for a terminal; what Linux says of the descriptors; and
     * Console, for stdout only.
     */

    private Probe() {}

    /** Returns the shell that Java was started in. */
    public static Shell system() {
        boolean outIsTerminal = isTerminal(STDOUT, "weir.stdout");
        boolean errIsTerminal = isTerminal(STDERR, "weir.stderr");
        return new Shell(
                new FileInputStream(FileDescriptor.in),
                new Stdout(
                        new FileOutputStream(FileDescriptor.out), target(STDOUT).startsWith("pipe:")),
                new FileOutputStream(FileDescriptor.err),
                outIsTerminal,
                errIsTerminal,
                new Measured(System.getenv().getOrDefault("COLUMNS", "")),
                charset(),
                System.getenv());
    }

    private static boolean isTerminal(int descriptor, String property) {
        if (System.getProperty(property, "").equals("terminal")) {
            return true;
        }
        String target = target(descriptor);
        return target.isEmpty() ? descriptor == STDOUT && hasConsole() : isTerminal(target);
    }

    static boolean isTerminal(String target) {
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /** Returns the target of a descriptor, such as {@code /dev/pts/0} or {@code pipe:[123]}; empty if it is unknown. */
    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException | RuntimeException unknown) {
            return "";
        }
    }

    /** Console.isTerminal() where it exists, since 22; before, a console was there only on a terminal. */
    @SuppressWarnings("SystemConsoleNull") // that is what the rest is for
    private static boolean hasConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException before22) {
            return true;
        }
    }

    private static Charset charset() {
        String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding", ""));
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.US_ASCII;
        }
    }

    /** Asks for the size again after a while, since the user may change it. */
    private static final class Measured implements Supplier<TerminalSize> {
        private static final long VALID_NANOS = 900_000_000; // less than the second in which tail draws again

        private final String given;
        private @Nullable TerminalSize size;
        private long measuredNanos;

        Measured(String given) {
            this.given = given;
        }

        @Override
        public synchronized TerminalSize get() {
            TerminalSize known = size;
            if (known == null || System.nanoTime() - measuredNanos >= VALID_NANOS) {
                known = TerminalSize.of(sizeOfTerminal(), given);
                size = known;
                measuredNanos = System.nanoTime();
            }
            return known;
        }
    }

    /** Returns rows and columns as {@code stty} reports them; empty where there is no such command. */
    private static String sizeOfTerminal() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroy();
                return "";
            }
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException noSuchCommand) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
