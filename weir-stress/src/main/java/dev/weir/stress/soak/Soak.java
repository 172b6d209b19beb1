package dev.weir.stress.soak;

import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testing.JavaCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Runs the soak in a JVM of its own with a small heap, and shows the outcome. */
public final class Soak {
    private static final long HEAP_MEGABYTES = 256;
    private static final String CLEAR_LINE = "\r\u001b[K";

    /**
     * The options of a run.
     *
     * @param duration the duration of the run
     * @param threads the number of threads that decide
     * @param keys the number of keys at a time; they are replaced after a while
     */
    public record Options(Duration duration, int threads, int keys) {}

    private Soak() {}

    /** Runs in this JVM, and ends it with the exit code. */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        Options options = new Options(Duration.parse(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        System.exit(here(options, time -> MemoryStore.builder().timeSource(time).build(), out, err));
    }

    /** Runs in this JVM, on a given store, and returns the exit code. */
    static int here(Options options, Function<TimeSource, Store> store, PrintStream out, PrintStream err)
            throws InterruptedException, ExecutionException {
        boolean terminal = Boolean.getBoolean("stress.terminal");
        long seconds = options.duration().toSeconds();
        Rounds run = new Rounds(options, new Witness(store), nanos -> {
            if (terminal) {
                err.print(CLEAR_LINE + "soak: " + Duration.ofNanos(nanos).toSeconds() + " of " + seconds + " s");
                err.flush();
            }
        });
        run.run();
        err.print(terminal ? CLEAR_LINE : "");
        err.flush();
        out.print(new Report(options, run));
        return run.isFine() ? 0 : 1;
    }

    /** Runs in a JVM of its own, and returns its exit code. */
    public static int inOwnJvm(Options options, PrintStream out) throws IOException, InterruptedException {
        List<String> command = JavaCommand.of(
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-Dstress.terminal=" + Boolean.getBoolean("stress.terminal"),
                Soak.class.getName(),
                options.duration().toString(),
                Integer.toString(options.threads()),
                Integer.toString(options.keys()));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        Thread ending = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(ending);
        process.getInputStream().transferTo(out);
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(ending);
        return code;
    }
}
