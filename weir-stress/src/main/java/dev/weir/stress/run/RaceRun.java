package dev.weir.stress.run;

import dev.weir.stress.run.Finding.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.runners.CounterThread;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.util.Counter;

/**
 * Runs one jcstress test in this JVM, slice by slice, and stops at the first forbidden outcome. jcstress itself forks a JVM
 * for each of its modes and runs each to the end: thorough, and too slow for every build.
 */
final class RaceRun {
    private static final int SLICE_MILLIS = 50;
    private static final int STRIDE = 64;
    private static final int STRIDES = 16;
    private static final int MAX_FOOTPRINT_MB = 64;
    private static final long POLL_MILLIS = 1;

    private final TestInfo race;
    private final Runnable signOfLife;
    private final TreeMap<String, Long> seen = new TreeMap<>();

    private RaceRun(TestInfo race, Runnable signOfLife) {
        this.race = race;
        this.signOfLife = signOfLife;
    }

    /** Runs a race for so long, or until it breaks; gives a sign of life after each slice. */
    static Finding run(String name, long millis, Runnable signOfLife) throws Exception {
        return new RaceRun(TestList.getInfo(name), signOfLife).run(millis);
    }

    private Finding run(long millis) throws Exception {
        Runner<?> runner = Class.forName(race.generatedRunner())
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(config());
        return slices(runner, millis);
    }

    private <R> Finding slices(Runner<R> runner, long millis) throws InterruptedException {
        Counter<R> counter = new Counter<>();
        try {
            runner.sanityCheck(counter);
        } catch (Throwable thrown) {
            return finding(Outcome.BROKEN, thrown.toString());
        }
        long start = System.nanoTime();
        do {
            signOfLife.run();
            String failure = slice(runner.internalRun(), counter);
            if (failure != null) {
                return finding(Outcome.BROKEN, failure);
            }
            seen.clear();
            for (R result : counter.elementSet()) {
                seen.put(String.valueOf(result), counter.count(result));
            }
            for (String result : seen.keySet()) {
                StateCase expected = expected(result);
                if (expected.expect() == Expect.FORBIDDEN) {
                    return finding(Outcome.BROKEN, "saw " + result + ": " + expected.description());
                }
            }
        } while (System.nanoTime() - start < millis * 1_000_000);
        return finding(seen.isEmpty() ? Outcome.FAILED : Outcome.HELD, "");
    }

    /** Adds what the threads saw; or what went wrong. */
    private static <R> @Nullable String slice(List<CounterThread<R>> threads, Counter<R> counter)
            throws InterruptedException {
        List<CounterThread<R>> running = new ArrayList<>(threads);
        while (!running.isEmpty()) {
            running.get(0).join(POLL_MILLIS); // the other waits for ever if this one throws, or the other way round
            for (CounterThread<R> thread : List.copyOf(running)) {
                if (thread.throwable() != null) {
                    return "a thread threw " + thread.throwable();
                }
                if (!thread.isAlive()) {
                    counter.merge(thread.result());
                    running.remove(thread);
                }
            }
        }
        return null;
    }

    private StateCase expected(String result) {
        return race.cases().stream()
                .filter(one -> one.matchesExactly(result))
                .findFirst()
                .orElse(race.unmatched());
    }

    private Finding finding(Outcome outcome, String detail) {
        long samples = seen.values().stream().mapToLong(Long::longValue).sum();
        return new Finding(race.name(), outcome, detail + " (" + samples + " samples: " + seen + ")");
    }

    /** As jcstress hands it to a JVM that it forks. */
    @SuppressWarnings("EnumOrdinal") // so jcstress writes it
    private ForkedTestConfig config() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(SpinLoopStyle.THREAD_YIELD.ordinal());
        out.writeInt(SLICE_MILLIS);
        out.writeInt(1);
        out.writeUTF(race.generatedRunner());
        out.writeInt(MAX_FOOTPRINT_MB);
        out.writeInt(STRIDE);
        out.writeInt(STRIDES);
        out.writeBoolean(false);
        return new ForkedTestConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }
}
