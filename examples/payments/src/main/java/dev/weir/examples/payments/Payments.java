package dev.weir.examples.payments;

import java.io.IOException;
import java.util.List;

/** The program. Its exit code is 0 if no provider answered 429, 1 if one did, and 2 if it could not run. */
public final class Payments {
    private Payments() {}

    /** Runs the fleet and prints what the providers counted. */
    public static void main(String... words) {
        System.exit(run(words));
    }

    private static int run(String... words) {
        try {
            return run(Options.parse(words));
        } catch (IllegalArgumentException misuse) {
            System.err.println("payments: " + misuse.getMessage());
        } catch (IOException failure) {
            System.err.println("payments: " + failure.getMessage());
        }
        return 2;
    }

    private static int run(Options options) throws IOException {
        Progress progress = new Progress(options.seconds());
        progress.show("starting Redis, two providers and three worker processes");
        try (Fleet fleet = Fleet.start()) {
            List<Provider.Counts> counts = fleet.run(options, progress::show);
            progress.clear();
            System.out.print(
                    options.json()
                            ? Report.json(counts) + "\n"
                            : Report.table(
                                    counts, worker -> !options.faults() || worker.startsWith(Fleet.WITHOUT_FAULT)));
            return counts.stream().allMatch(provider -> provider.rejected() == 0) ? 0 : 1;
        }
    }
}
