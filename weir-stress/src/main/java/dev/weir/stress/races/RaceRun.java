package dev.weir.stress.races;

import dev.weir.stress.races.Finding.Outcome;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one race in this JVM until it breaks or the time is over. jcstress starts a JVM for each of its modes, which is thorough,
 * and too slow for every build.
 */
final class RaceRun {
    private static final int STAGES = 128; // of a round
    private static final int SPINS = 1_000; // then the thread yields

    private final Race race;
    private final Map<String, Integer> seen = new TreeMap<>();
    private volatile @Nullable Throwable thrown;

    private RaceRun(Race race) {
        this.race = race;
    }

    /** Runs a race. Returns how often each result was seen, also if it held: it shows whether the threads met. */
    static Finding run(String name, long millis) throws InterruptedException {
        RaceRun run = new RaceRun(Races.named(name));
        List<String> unexpected = run.race.unexpectedInSequence();
        if (!unexpected.isEmpty()) {
            return new Finding(name, Outcome.BROKEN, "in sequence: saw " + unexpected);
        }
        long start = System.nanoTime();
        boolean together = true;
        do {
            String broken = run.round(together);
            if (broken != null) {
                return new Finding(name, Outcome.BROKEN, broken + "; seen: " + run.seen);
            }
            together = !together;
        } while (System.nanoTime() - start < millis * 1_000_000);
        return new Finding(name, Outcome.HELD, "seen: " + run.seen);
    }

    /** Lets two threads race through new stages, either together at each or independently. */
    private @Nullable String round(boolean together) throws InterruptedException {
        List<Stage> stages = Stream.generate(race::stage).limit(STAGES).toList();
        AtomicInteger reachedByOne = new AtomicInteger();
        AtomicInteger reachedByTwo = together ? new AtomicInteger() : reachedByOne;
        Object[] ofOne = new Object[STAGES];
        Object[] ofTwo = new Object[STAGES];
        Thread one = thread(stages, race.one, ofOne, reachedByOne, reachedByTwo);
        Thread two = thread(stages, race.two, ofTwo, reachedByTwo, reachedByOne);
        one.join();
        two.join();
        if (thrown != null) {
            return "a thread threw " + thrown;
        }
        for (int i = 0; i < STAGES; i++) {
            String result = race.result(ofOne[i], ofTwo[i], stages.get(i));
            seen.merge(result, 1, Integer::sum);
            if (!race.allows(result)) {
                return "saw " + result;
            }
        }
        return null;
    }

    private Thread thread(
            List<Stage> stages,
            Function<Stage, Object> operation,
            Object[] results,
            AtomicInteger reached,
            AtomicInteger reachedByOther) {
        Thread thread = new Thread(() -> {
            try {
                for (int i = 0; i < STAGES && thrown == null; i++) {
                    reached.set(i);
                    for (int spins = 0; reachedByOther.get() < i && thrown == null; spins++) {
                        pause(spins);
                    }
                    results[i] = operation.apply(stages.get(i));
                }
            } catch (RuntimeException | Error failure) {
                thrown = failure;
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @SuppressWarnings("ThreadPriorityCheck") // there may be fewer processors than threads
    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
