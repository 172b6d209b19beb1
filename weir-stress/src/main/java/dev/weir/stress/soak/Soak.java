package dev.weir.stress.soak;

import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.stress.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** The program: runs the soak in a JVM of its own with a small heap, and shows what came of it. */
public final class Soak {
    private static final long HEAP_MEGABYTES = 256;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private Soak() {}

    /** Runs, and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = run(out, err, args);
        out.flush();
        System.exit(code);
    }

    /** Does what the arguments say, here if the heap is small enough and else in a JVM of its own; the exit code. */
    public static int run(PrintStream out, PrintStream err, String... args) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                out.print(Options.HELP);
                return 0;
            }
            return Runtime.getRuntime().maxMemory() <= HEAP_MEGABYTES << 20
                    ? here(options, Soak::inMemory, out, err)
                    : inOwnJvm(out, args);
        } catch (UsageException misuse) {
            err.println("soak: " + misuse.getMessage());
            return MISUSED;
        } catch (IOException | RuntimeException failure) {
            err.println("soak: " + failure);
            return FAILED;
        } catch (ExecutionException failure) {
            err.println("soak: a thread failed: " + failure.getCause());
            return FAILED;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            err.println("soak: interrupted");
            return FAILED;
        }
    }

    /** Runs in this JVM, on a store of a given kind. */
    static int here(Options options, Function<TimeSource, Store> store, PrintStream out, PrintStream err)
            throws InterruptedException, ExecutionException {
        Progress progress = new Progress(err, Boolean.getBoolean("stress.terminal"), options.duration());
        Outcome outcome = new Rounds(options, new Witness(store), progress::show).run();
        progress.clear();
        out.print(Report.of(options, outcome));
        return outcome.isFine() ? 0 : FAILED;
    }

    private static MemoryStore inMemory(TimeSource timeSource) {
        return MemoryStore.builder().timeSource(timeSource).build();
    }

    private static int inOwnJvm(PrintStream out, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-Dstress.terminal=" + Boolean.getBoolean("stress.terminal"),
                "-cp",
                System.getProperty("java.class.path"),
                Soak.class.getName()));
        command.addAll(List.of(args));
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
