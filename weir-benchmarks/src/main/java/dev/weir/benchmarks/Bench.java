package dev.weir.benchmarks;

import dev.weir.benchmarks.Options.UsageException;
import dev.weir.benchmarks.memory.Memory;
import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.redis.RedisBenchmark;
import dev.weir.benchmarks.redis.RedisFigures;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Goals;
import dev.weir.benchmarks.report.Machine;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.run.FailedMeasureException;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Fork;
import dev.weir.benchmarks.run.Measure;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program: reads the command line, measures fork by fork, and prints the report. */
public final class Bench {
    private static final int MILLION = 1_000_000;
    private static final int MEMORY_SECONDS = 30;
    private static final @Nullable String LOG = System.getProperty("bench.log");

    private final Options options;
    private final Progress progress;

    private Bench(Options options, Progress progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Measures, and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = run(out, err, args);
        out.flush();
        System.exit(code);
    }

    /** Does what the arguments say and returns the exit code. */
    static int run(PrintStream out, PrintStream err, String... args) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                out.print(Options.HELP);
            } else {
                new Bench(options, new Progress(err, Boolean.getBoolean("bench.terminal"))).measure(out);
            }
            return 0;
        } catch (UsageException misuse) {
            err.println("bench: " + misuse.getMessage());
            return 2;
        } catch (FailedMeasureException failure) {
            err.println("bench: " + failure.getMessage());
            return 1;
        } catch (IOException failure) {
            err.println("bench: " + failure);
            return 1;
        }
    }

    private void measure(PrintStream out) throws IOException {
        Path json = options.json() == null ? null : writable(options.json());
        Path page = options.page() == null ? null : writable(options.page());
        if (page != null && !Section.hasPlaces(page, options.sections())) {
            throw new UsageException(
                    "--write " + page + " must be a page with a place for each of " + options.sections());
        }
        Machine machine = Machine.here();
        Report report = options.redis() ? redis(machine) : memory(machine);
        for (Section section : report.sections()) {
            out.print(section.text() + "\n");
        }
        if (json != null) {
            Files.writeString(json, Goal.json(report.goals()));
        }
        if (page != null) {
            Section.fill(page, report.sections());
        }
    }

    private record Report(List<Goal> goals, List<Section> sections) {}

    private Report memory(Machine machine) throws IOException {
        List<Measure> turns = options.plan().turns(options.effort());
        long millis = turns.stream()
                .mapToLong(turn -> options.effort().forkMillis(turn.scenario()))
                .sum();
        progress.begin(turns.size(), "forks", millis / 1000 + MEMORY_SECONDS);
        MemoryFigures memory = new Memory(MILLION, MILLION, progress::show).measure();
        Figures figures = figures(turns);
        progress.clear();
        List<Goal> goals = Goals.inMemory(figures, memory);
        return new Report(goals, Section.inMemory(machine, options.command(), goals, figures, memory));
    }

    private Report redis(Machine machine) {
        RedisBenchmark redis = new RedisBenchmark(options.redisEffort(), progress::next);
        progress.begin(redis.turns(), "turns", redis.seconds());
        RedisFigures figures = redis.measure();
        progress.clear();
        List<Goal> goals = Goals.onRedis(figures);
        return new Report(goals, Section.onRedis(machine, options.command(), goals, figures));
    }

    private Figures figures(List<Measure> turns) throws IOException {
        Figures figures = new Figures();
        try (PrintStream log = log()) {
            Fork fork = new Fork(options.effort(), log);
            for (Measure turn : turns) {
                progress.next(turn.toString());
                figures.add(turn, fork.run(turn));
            }
        } catch (FailedMeasureException failure) {
            String where = LOG == null ? "" : "; JMH's output is in " + LOG;
            throw new FailedMeasureException(failure.getMessage() + where, failure);
        }
        return figures;
    }

    private static PrintStream log() throws IOException {
        OutputStream log = LOG == null ? OutputStream.nullOutputStream() : new FileOutputStream(LOG);
        return new PrintStream(log, true, StandardCharsets.UTF_8);
    }

    /** A file that can be written, as far as can be seen before hours of measuring. */
    private static Path writable(String name) {
        try {
            Path file = Path.of(name).toAbsolutePath();
            Path directory = file.getParent();
            boolean can = Files.exists(file)
                    ? Files.isRegularFile(file) && Files.isWritable(file)
                    : directory != null && Files.isWritable(directory);
            if (!can) {
                throw new UsageException("cannot write " + name);
            }
            return file;
        } catch (InvalidPathException e) {
            throw new UsageException("cannot write " + name + ": " + e.getReason());
        }
    }
}
