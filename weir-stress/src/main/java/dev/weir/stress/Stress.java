package dev.weir.stress;

import dev.weir.stress.races.ChildJvm;
import dev.weir.stress.races.Effort;
import dev.weir.stress.races.Finding;
import dev.weir.stress.races.Finding.Outcome;
import dev.weir.stress.races.Models;
import dev.weir.stress.races.Race;
import dev.weir.stress.races.Races;
import dev.weir.stress.soak.Soak;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program: runs races, models or the soak, much longer than the build does, and reports what broke. */
@Command(
        name = "stress",
        sortOptions = false,
        description = "Tests what threads may do at the same time, much longer than the build does.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing broke, and the memory of the soak stayed flat",
            "1:something broke, memory grew, or the run failed",
            "2:usage"
        })
public final class Stress {
    private static final int MOST_MINUTES = 10_000;
    private static final int LONG_SCENARIOS = 300; // for each model
    private static final int INTERLEAVINGS = 300; // of each scenario
    private static final long RACES_MILLIS_PER_MINUTE = 45_000;
    private static final Duration LONGEST = Duration.ofDays(7);

    private final PrintStream out;
    private int broken;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this.")
    private boolean help;

    private Stress(PrintStream out) {
        this.out = out;
    }

    /** Runs, and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /** Runs the command and returns its exit code. */
    static int run(PrintStream out, PrintStream err, String... args) {
        return new CommandLine(new Stress(out))
                .registerConverter(Duration.class, Stress::duration)
                .registerConverter(int.class, text -> Integer.parseInt(text.replace(",", "")))
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((misuse, given) -> {
                    err.println("stress: " + misuse.getMessage() + "; see 'stress --help'");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    err.println("stress: " + failure);
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args.length == 0 ? new String[] {"--help"} : args);
    }

    /** Reads a duration such as 5s, 10m or 1h. */
    private static Duration duration(String text) {
        Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("must be 1 second to 7 days");
        }
        return duration;
    }

    @Command(
            name = "soak",
            sortOptions = false,
            description = "Decides with many threads, for keys that come and go, while limits change, and checks every"
                    + " admission, in a JVM of its own with a heap of 256 MB.")
    int soak(
            @Option(
                            names = "--duration",
                            paramLabel = "TIME",
                            defaultValue = "10m",
                            description = "The duration: 5s, 10m, 1h; by default ${DEFAULT-VALUE}.")
                    Duration duration,
            @Option(
                            names = "--threads",
                            paramLabel = "N",
                            defaultValue = "4",
                            description = "The number of threads that decide, 1 to 64; by default ${DEFAULT-VALUE}.")
                    int threads,
            @Option(
                            names = "--keys",
                            paramLabel = "N",
                            defaultValue = "200,000",
                            description =
                                    "The number of keys at a time, 100 to 1,000,000; by default ${DEFAULT-VALUE}.")
                    int keys)
            throws IOException, InterruptedException {
        check("--threads", threads, 1, 64);
        check("--keys", keys, 100, 1_000_000);
        return Soak.inOwnJvm(new Soak.Options(duration, threads, keys), out);
    }

    @Command(
            name = "races",
            description = "Races of two threads, by jcstress in all its modes, and models, by Lincheck on many"
                    + " interleavings: takes hours.")
    int races(
            @Option(
                            names = "--minutes",
                            paramLabel = "N",
                            description = "Takes about N minutes instead, 1 to 10000, in one mode.")
                    @Nullable
                    Integer minutes)
            throws IOException, InterruptedException {
        if (minutes == null) {
            inAllModes();
        } else {
            check("--minutes", minutes, 1, MOST_MINUTES);
            long raceMillis = minutes * RACES_MILLIS_PER_MINUTE / Races.all().size();
            Effort effort = new Effort(raceMillis, minutes, INTERLEAVINGS); // models: about a quarter of the time
            run(effort, Models.all());
            for (Race race : Races.all()) {
                run(effort, List.of(race.name()));
            }
        }
        out.println(broken == 0 ? "nothing broke" : broken + " broke");
        return broken == 0 ? 0 : 1;
    }

    private void check(String option, int number, int least, int most) {
        if (number < least || number > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be " + least + " to " + most + ", was " + number);
        }
    }

    private void inAllModes() throws IOException, InterruptedException {
        run(new Effort(0, LONG_SCENARIOS, INTERLEAVINGS), Models.all());
        for (Race race : Races.all()) {
            int code = ChildJvm.jcstress(race);
            out.println(race.name() + ": " + (code == 0 ? "held" : "jcstress ended with " + code));
            broken += code == 0 ? 0 : 1;
        }
    }

    private void run(Effort effort, List<String> tests) throws IOException, InterruptedException {
        for (Finding finding : ChildJvm.run(effort, null, tests)) {
            String test = finding.test().substring(finding.test().lastIndexOf('.') + 1);
            out.println(test + ": " + finding.outcome() + " " + finding.detail());
            broken += finding.outcome() == Outcome.HELD ? 0 : 1;
        }
    }
}
