package dev.weir.stress;

import dev.weir.stress.run.ChildJvm;
import dev.weir.stress.run.Effort;
import dev.weir.stress.run.Finding;
import dev.weir.stress.run.Finding.Outcome;
import dev.weir.stress.soak.Soak;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The program: runs what was asked for, for as long as was asked for, and says what broke. */
public final class Stress {
    static final String HELP = """
            Tries what threads may do to each other, for much longer than the build does.

            Usage: stress races [--minutes N]
                   stress soak [--duration TIME] [--threads N] [--keys N]

              races           races of two threads, by jcstress in all its modes, and models, by Lincheck on many
                              interleavings: for hours
              --minutes N     about so long instead, 1 to 10000, in one mode
              soak            many keys and changing limits for 10 minutes, every admission checked; see 'stress soak --help'
              -h, --help      shows this

            Exit codes:
              0  nothing broke
              1  something did, or could not be run
              2  usage
            """;

    private static final String SEE = "; see 'stress --help'";
    private static final int MOST_MINUTES = 10_000;
    private static final int LONG_SCENARIOS = 300; // for each model
    private static final int SCENARIOS_A_MINUTE = 1; // for each model: about a quarter of the time
    private static final int INTERLEAVINGS = 300; // of each scenario
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
            if (!given.isEmpty() && given.get(0).equals("soak")) {
                return Soak.run(out, err, given.subList(1, given.size()).toArray(String[]::new));
            }
            if (given.isEmpty() || given.contains("-h") || given.contains("--help")) {
                out.print(HELP);
                return 0;
            }
            int minutes = minutes(given);
            Stress stress = new Stress(out);
            if (minutes == 0) {
                stress.inAllModes();
            } else {
                stress.forMinutes(minutes);
            }
            out.println(stress.broken == 0 ? "nothing broke" : stress.broken + " broke");
            return stress.broken == 0 ? 0 : 1;
        } catch (UsageException misuse) {
            err.println("stress: " + misuse.getMessage());
            return 2;
        } catch (IOException | AssertionError failure) {
            err.println("stress: " + failure.getMessage());
            return 1;
        }
    }

    /** How long; 0 if that was not said. */
    private static int minutes(List<String> args) {
        String name = args.get(0);
        if (name.startsWith("-")) {
            throw new UsageException("say first what to run: races or soak" + SEE);
        } else if (!name.equals("races")) {
            throw new UsageException("unknown run '" + name + "'; there are races and soak" + SEE);
        }
        List<String> rest = new ArrayList<>(args.subList(1, args.size()));
        if (rest.isEmpty()) {
            return 0;
        }
        String option = rest.remove(0);
        if (option.startsWith("--minutes=")) {
            rest.add(0, option.substring("--minutes=".length()));
        } else if (!option.equals("--minutes")) {
            throw new UsageException(
                    (option.startsWith("-") ? "unknown option '" + option + "'" : "'" + option + "' is too many")
                            + SEE);
        }
        if (rest.size() > 1) {
            throw new UsageException("'" + rest.get(1) + "' is too many" + SEE);
        }
        String value = rest.isEmpty() ? "" : rest.get(0);
        if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) < 1 || Integer.parseInt(value) > MOST_MINUTES) {
            throw new UsageException("--minutes must be 1 to " + MOST_MINUTES + ", was '" + value + "'" + SEE);
        }
        return Integer.parseInt(value);
    }

    private void inAllModes() throws IOException {
        tell(ChildJvm.run(
                new Effort(0, LONG_SCENARIOS, INTERLEAVINGS, HANGS_MILLIS),
                Races.models().toList()));
        if (ChildJvm.jcstress(Races.all().toList()) != 0) {
            broken++;
        }
    }

    private void forMinutes(int minutes) {
        List<Class<?>> races = Races.all().toList();
        Effort effort =
                new Effort(minutes * 45_000L / races.size(), SCENARIOS_A_MINUTE * minutes, INTERLEAVINGS, HANGS_MILLIS);
        tell(ChildJvm.run(effort, Races.models().toList()));
        races.forEach(race -> tell(ChildJvm.run(effort, List.of(race))));
    }

    private void tell(List<Finding> findings) {
        for (Finding finding : findings) {
            String test = finding.test().substring(finding.test().lastIndexOf('.') + 1);
            out.println(test + ": " + finding.outcome() + " " + finding.detail());
            if (finding.outcome() != Outcome.HELD) {
                broken++;
            }
        }
    }
}
