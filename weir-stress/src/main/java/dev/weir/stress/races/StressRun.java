package dev.weir.stress.races;

import dev.weir.stress.races.Finding.Outcome;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs races and models in this JVM, each until it breaks or enough was tried, and prints what they showed. */
final class StressRun {
    private static final long RACE_HANGS_MILLIS = 60_000; // beyond its time
    private static final long MODEL_HANGS_MILLIS = 300_000; // for each of its scenarios

    private StressRun() {}

    public static void main(String[] args) {
        Effort effort = new Effort(Long.parseLong(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        for (int i = 3; i < args.length; i++) {
            Finding finding = watched(args[i], effort);
            System.out.println(finding.line());
            if (finding.outcome() == Outcome.HUNG) {
                Thread.getAllStackTraces().forEach((thread, stack) -> {
                    System.out.println(thread);
                    Arrays.stream(stack).forEach(element -> System.out.println("    " + element));
                });
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0); // threads that hang do not end
    }

    /** A model is named by its class, a race by its name. */
    static boolean isModel(String test) {
        return test.indexOf('.') >= 0;
    }

    /** Runs a test. If it hangs, that is reported; Lincheck itself detects most models that hang. */
    private static Finding watched(String test, Effort effort) {
        long millis =
                isModel(test) ? MODEL_HANGS_MILLIS * (1 + effort.scenarios()) : effort.raceMillis() + RACE_HANGS_MILLIS;
        Finding hung = new Finding(test, Outcome.HUNG, "did not end within " + millis + " ms");
        return CompletableFuture.supplyAsync(() -> run(test, effort), task -> new Thread(task, "runner").start())
                .completeOnTimeout(hung, millis, TimeUnit.MILLISECONDS)
                .join();
    }

    private static Finding run(String test, Effort effort) {
        try {
            if (!isModel(test)) {
                return RaceRun.run(test, effort.raceMillis());
            }
            String broken = Models.run(test, effort);
            return new Finding(test, broken == null ? Outcome.HELD : Outcome.BROKEN, broken == null ? "" : broken);
        } catch (Throwable thrown) {
            return new Finding(test, Outcome.FAILED, "could not be run: " + thrown);
        }
    }
}
