package dev.weir.benchmarks;

import dev.weir.benchmarks.memory.MemoryBenchmark;
import dev.weir.benchmarks.promise.PromiseBenchmark;
import dev.weir.benchmarks.redis.RedisBenchmark;
import dev.weir.benchmarks.report.Benchmark;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Machine;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.server.RandomKeysBenchmark;
import dev.weir.benchmarks.server.ServerBenchmark;
import dev.weir.benchmarks.web.WebBenchmark;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program: reads the command line, measures, and prints the report. */
@Command(
        name = "bench",
        sortOptions = false,
        description = "Measures Weir beside other rate limiters, and compares the figures with its goals.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it ran, whatever it found",
            "1:it could not measure",
            "2:usage, or a file that cannot be read or written"
        })
public final class Bench implements Callable<Integer> {
    private enum Subject {
        MEMORY("goals", "times", "memory"),
        REDIS("redis-goals", "redis"),
        WEB("web"),
        SERVER("server"),
        KEYS("random-keys"),
        PROMISE("promise", "promise-configuration");

        /** The places of its tables on a page. */
        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        final List<String> places;

        Subject(String... places) {
            this.places = List.of(places);
        }
    }

    private final PrintStream out;
    private final Progress progress;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "memory|redis|web|server|keys|promise",
            description =
                    "Limiters in the memory of a JVM; on a Redis server that it starts; what the servlet filter adds to an"
                            + " empty endpoint; the throughput of the server beside an empty handler; the server with a"
                            + " million random keys a minute; or how well each limiter keeps a limit of 100 per minute.")
    private Subject subject;

    @Option(
            names = "--quick",
            description =
                    "In at most 20 minutes; of memory the goals only. Without it, memory takes more than an hour, redis, server"
                            + " and promise a quarter of an hour, keys five minutes, web two minutes.")
    private boolean quick;

    @Option(
            names = "--smoke",
            description = "A moment of each: shows that everything runs. The figures have no meaning.")
    private boolean smoke;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "promise: the log whose requests the limiters get. Default: examples/access.log.")
    private Path log = Path.of("examples", "access.log");

    @Option(names = "--picture", paramLabel = "FILE", description = "promise: writes a picture, in SVG, to a file.")
    private @Nullable Path picture;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the goals, or the counts, to a file.")
    private @Nullable Path json;

    @Option(
            names = "--write",
            paramLabel = "PAGE",
            description = "Writes the tables into a page, between its comments <!-- bench: ... -->.")
    private @Nullable Path page;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    private boolean help;

    private Bench(PrintStream out, PrintStream err) {
        this.out = out;
        this.progress = new Progress(err, Boolean.getBoolean("bench.terminal"));
    }

    /** Measures, and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /** Runs the command and returns its exit code. */
    static int run(PrintStream out, PrintStream err, String... args) {
        return new CommandLine(new Bench(out, err))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((misuse, given) -> {
                    err.println("bench: " + misuse.getMessage() + "; see 'bench --help'");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    err.println(
                            "bench: " + (failure instanceof FailedMeasureException ? failure.getMessage() : failure));
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args.length == 0 ? new String[] {"--help"} : args);
    }

    @Override
    public Integer call() throws IOException {
        checkWritable(json);
        checkWritable(page);
        checkWritable(picture);
        if (picture != null && subject != Subject.PROMISE) {
            throw misuse("--picture is for promise");
        }
        if (page != null && !(Files.isReadable(page) && Section.hasPlaces(Files.readString(page), subject.places))) {
            throw misuse("--write " + page + " must be a page with a place for each of " + subject.places);
        }
        if (subject == Subject.PROMISE && (Files.isDirectory(log) || !Files.isReadable(log))) {
            throw misuse("cannot read " + log);
        }
        Report report = measure(Machine.header(command()));
        progress.show("");
        report.sections().forEach(section -> out.print(section.text() + "\n"));
        if (json != null) {
            Files.writeString(json, report.json());
        }
        if (picture != null) {
            Files.writeString(picture, report.picture());
        }
        if (page != null) {
            Files.writeString(page, Section.filled(Files.readString(page), report.sections()));
        }
        return CommandLine.ExitCode.OK;
    }

    private Report measure(String header) throws IOException {
        LogManager.getLogManager().reset(); // a failure is reported once, by this program
        Effort effort = smoke ? Effort.SMOKE : quick ? Effort.QUICK : Effort.FULL;
        Benchmark benchmark = switch (subject) {
            case MEMORY -> new MemoryBenchmark(effort, quick, progress);
            case REDIS -> above -> RedisBenchmark.run(effort, progress, above);
            case WEB -> new WebBenchmark(effort, progress);
            case SERVER -> new ServerBenchmark(effort, progress);
            case KEYS -> new RandomKeysBenchmark(effort, progress);
            case PROMISE -> new PromiseBenchmark(log, effort, progress);
        };
        return benchmark.run(header);
    }

    /** Returns the command that measures this again. */
    private String command() {
        return "./bench " + subject.name().toLowerCase(Locale.ROOT)
                + (subject == Subject.PROMISE ? " --log " + log.getFileName() : "") + (quick ? " --quick" : "")
                + (smoke ? " --smoke" : "");
    }

    /** Checks, as far as can be seen before hours of measuring, that a file can be written. */
    private void checkWritable(@Nullable Path file) {
        if (file != null) {
            Path directory = file.toAbsolutePath().resolveSibling(".");
            if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : directory)) {
                throw misuse("cannot write " + file);
            }
        }
    }

    private ParameterException misuse(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
