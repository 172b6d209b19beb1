package dev.weir.stress.run;

import dev.weir.stress.races.RaceRun;
import dev.weir.stress.run.Finding.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs races and models in this JVM, each until it breaks or enough was tried, and prints what they showed. */
final class StressRun {
    private static final long POLL_MILLIS = 100;

    private final Effort effort;
    private volatile long lastSign = System.nanoTime();

    private StressRun(Effort effort) {
        this.effort = effort;
    }

    public static void main(String[] args) throws InterruptedException {
        Effort effort = new Effort(
                Long.parseLong(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]), Long.parseLong(args[3]));
        for (int i = 4; i < args.length; i++) {
            Finding finding = new StressRun(effort).watched(args[i]);
            System.out.println(finding.line());
            if (finding.outcome() == Outcome.HUNG) {
                Thread.getAllStackTraces().forEach(StressRun::print);
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0); // threads that hang do not end
    }

    /** A model is named by its class, a race by its name. */
    static boolean isModel(String test) {
        return test.indexOf('.') >= 0;
    }

    private Finding watched(String test) throws InterruptedException {
        CompletableFuture<Finding> finding = new CompletableFuture<>();
        Thread runner = new Thread(() -> finding.complete(run(test)), "runner");
        runner.setDaemon(true);
        runner.start();
        while (true) {
            try {
                return finding.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                if (!isModel(test) && System.nanoTime() - lastSign > effort.hangsMillis() * 1_000_000) {
                    return new Finding(test, Outcome.HUNG, "no sign of life for " + effort.hangsMillis() + " ms");
                }
            } catch (ExecutionException e) {
                return new Finding(test, Outcome.FAILED, e.toString());
            }
        }
    }

    private Finding run(String test) {
        try {
            String broken = isModel(test)
                    ? ModelRun.run(test, effort)
                    : RaceRun.run(test, effort.raceMillis(), () -> lastSign = System.nanoTime());
            return new Finding(test, broken == null ? Outcome.HELD : Outcome.BROKEN, broken == null ? "" : broken);
        } catch (Throwable thrown) {
            return new Finding(test, Outcome.FAILED, "could not be run: " + thrown);
        }
    }

    private static void print(Thread thread, StackTraceElement[] stack) {
        System.out.println(thread);
        for (StackTraceElement element : stack) {
            System.out.println("    " + element);
        }
    }
}
