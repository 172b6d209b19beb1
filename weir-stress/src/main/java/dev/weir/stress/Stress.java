package dev.weir.stress;

import dev.weir.stress.Arguments.UsageException;
import dev.weir.stress.models.Scenarios;
import dev.weir.stress.races.Race;
import dev.weir.stress.races.Races;
import dev.weir.stress.run.ChildJvm;
import dev.weir.stress.run.Effort;
import dev.weir.stress.run.Finding;
import dev.weir.stress.run.Finding.Outcome;
import dev.weir.stress.soak.Soak;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** The program: runs races, models or the soak, much longer than the build does, and reports what broke. */
public final class Stress {
    static final String HELP = """
            Tests what threads may do at the same time, much longer than the build does.

            Usage: stress races [--minutes N]
                   stress soak [--duration TIME] [--threads N] [--keys N]

              races            races of two threads, by jcstress in all its modes, and models, by Lincheck on many
                               interleavings: takes hours
              --minutes N      takes about N minutes instead, 1 to 10000, in one mode

              soak             decides with many threads, for keys that come and go, while limits change, and checks
                               every admission, in a JVM of its own with a heap of 256 MB
              --duration TIME  how long: 5s, 10m, 1h; default 10m
              --threads N      how many threads decide, 1 to 64; default 4
              --keys N         how many keys there are at a time, 100 to 1,000,000; default 200,000

              -h, --help       shows this

            Exit codes:
              0  nothing broke, and the memory of the soak stayed flat
              1  something broke, memory grew, or the run failed
              2  usage
            """;

    private static final int MOST_MINUTES = 10_000;
    private static final int LONG_SCENARIOS = 300; // for each model
    private static final int SCENARIOS_PER_MINUTE = 1; // for each model: about a quarter of the time
    private static final int INTERLEAVINGS = 300; // of each scenario
    private static final long RACES_MILLIS_PER_MINUTE = 45_000;
    private static final long HANGS_MILLIS = 60_000;

    private final PrintStream out;
    private int broken;

    private Stress(PrintStream out) {
        this.out = out;
    }

    /** Runs, and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /** Does what the arguments say and returns the exit code. */
    static int run(PrintStream out, PrintStream err, String... args) {
        try {
            List<String> given = List.of(args);
            if (given.isEmpty() || given.contains("-h") || given.contains("--help")) {
                out.print(HELP);
                return 0;
            }
            List<String> options = given.subList(1, given.size());
            return switch (given.get(0)) {
                case "races" -> races(out, new Arguments(options, Set.of("--minutes")));
                case "soak" -> Soak.inOwnJvm(soakOptions(options), out);
                default ->
                    throw new UsageException((given.get(0).startsWith("-")
                                    ? "say first what to run: races or soak"
                                    : "unknown run '" + given.get(0) + "'; there are races and soak")
                            + Arguments.SEE);
            };
        } catch (UsageException misuse) {
            err.println("stress: " + misuse.getMessage());
            return 2;
        } catch (IOException | RuntimeException | AssertionError failure) {
            err.println("stress: " + failure);
            return 1;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            err.println("stress: interrupted");
            return 1;
        }
    }

    static Soak.Options soakOptions(List<String> options) {
        Arguments arguments = new Arguments(options, Set.of("--duration", "--threads", "--keys"));
        return new Soak.Options(
                arguments.duration("--duration", "10m"),
                arguments.number("--threads", 1, 64, 4),
                arguments.number("--keys", 100, 1_000_000, 200_000));
    }

    private static int races(PrintStream out, Arguments arguments) throws IOException {
        int minutes = arguments.number("--minutes", 1, MOST_MINUTES, 0);
        Stress stress = new Stress(out);
        if (minutes == 0) {
            stress.inAllModes();
        } else {
            stress.forMinutes(minutes);
        }
        out.println(stress.broken == 0 ? "nothing broke" : stress.broken + " broke");
        return stress.broken == 0 ? 0 : 1;
    }

    private void inAllModes() throws IOException {
        run(new Effort(0, LONG_SCENARIOS, INTERLEAVINGS, HANGS_MILLIS), Scenarios.models());
        for (Race race : Races.all()) {
            int code = ChildJvm.jcstress(race);
            out.println(race + ": " + (code == 0 ? "held" : "jcstress ended with " + code));
            broken += code == 0 ? 0 : 1;
        }
    }

    private void forMinutes(int minutes) {
        List<Race> races = Races.all();
        long raceMillis = minutes * RACES_MILLIS_PER_MINUTE / races.size();
        Effort effort = new Effort(raceMillis, SCENARIOS_PER_MINUTE * minutes, INTERLEAVINGS, HANGS_MILLIS);
        run(effort, Scenarios.models());
        races.forEach(race -> run(effort, List.of(race.name())));
    }

    private void run(Effort effort, List<String> tests) {
        for (Finding finding : ChildJvm.run(effort, null, tests)) {
            String test = finding.test().substring(finding.test().lastIndexOf('.') + 1);
            out.println(test + ": " + finding.outcome() + " " + finding.detail());
            broken += finding.outcome() == Outcome.HELD ? 0 : 1;
        }
    }
}
