package dev.weir.algorithm;

import dev.weir.algorithm.Rule.Kind;
import dev.weir.algorithm.Scenario.Size;
import dev.weir.testkit.TraceProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/**
 * Every field of every decision and snapshot, against the definition ({@link Oracle}, {@link KeyOracle}, {@link GroupOracle}), on
 * random traces.
 *
 * <p>{@code -Dweir.traces=1000000} sets the number of traces of all tests together, {@code -Dweir.seed=} runs one seed. A failure
 * reports the seed and the steps that are needed.
 */
class OracleTest {
    private static final long TRACES = Long.getLong("weir.traces", 10_000);
    private static final long SEED = Long.getLong("weir.seed", -1);
    private static final int THREADS = 2;
    private static final int CHUNK = 50;

    @Test
    void slidingLog_anyTrace_asByDefinition() throws InterruptedException {
        check(8, Size.small(List.of(Kind.LOG), 1, 1, 1));
    }

    @Test
    void slidingLog_countingAttempts_asByDefinition() throws InterruptedException {
        check(6, Size.small(List.of(Kind.ATTEMPTS, Kind.LOG), 1, 1, 1));
    }

    @Test
    void slidingWindow_anyTrace_asByDefinition() throws InterruptedException {
        check(8, Size.small(List.of(Kind.CONSERVATIVE, Kind.CLASSIC), 1, 1, 1));
    }

    @Test
    void fixedWindow_anyTrace_asByDefinition() throws InterruptedException {
        check(8, Size.small(List.of(Kind.ALIGNED, Kind.FIRST), 1, 1, 1));
    }

    @Test
    void gcra_anyTrace_asByDefinition() throws InterruptedException {
        check(5, Size.small(List.of(Kind.GCRA), 1, 1, 1));
    }

    @Test
    void tokenBucket_anyTrace_asByDefinition() throws InterruptedException {
        check(5, Size.small(List.of(Kind.TOKEN_BUCKET), 1, 1, 1));
    }

    @Test
    void leakyBucket_anyTrace_asByDefinition() throws InterruptedException {
        check(5, Size.small(List.of(Kind.LEAKY_BUCKET), 1, 1, 1));
    }

    @Test
    void severalLogs_anyTrace_asByDefinition() throws InterruptedException {
        check(12, Size.small(Scenario.LOGS, 1, 1, 3));
    }

    @Test
    void severalLimits_anyTrace_asByDefinition() throws InterruptedException {
        check(17, Size.small(Scenario.ALL, 1, 2, 4));
    }

    @Test
    void jointRequests_anyTrace_asByDefinition() throws InterruptedException {
        check(13, Size.small(Scenario.ALL, 3, 2, 2));
    }

    @Test
    void longWindows_anyTrace_asByDefinition() throws InterruptedException {
        check(3, Size.vast(2));
    }

    @Test
    void longJumps_anyTrace_asByDefinition() throws InterruptedException {
        check(3, Size.wide(2));
    }

    @Test
    void manyPending_oneLog_asByDefinition() throws InterruptedException {
        check(2, Size.deep(List.of(Kind.LOG, Kind.LOG, Kind.CONSERVATIVE, Kind.CLASSIC), 1));
    }

    @Test
    void manyAttempts_changedWindows_asByDefinition() throws InterruptedException {
        check(2, Size.deep(List.of(Kind.ATTEMPTS), 1));
    }

    @Test
    void manyPending_severalLimits_asByDefinition() throws InterruptedException {
        check(3, Size.deep(Scenario.ALL, 3));
    }

    @Test
    void fullPending_anyTrace_asByDefinition() throws InterruptedException {
        check(0.04, Size.full());
    }

    /** Checks a percentage of all traces. */
    private static void check(double percent, Size size) throws InterruptedException {
        if (SEED >= 0) {
            checkOne(size, SEED);
            return;
        }
        inParallel((long) Math.ceil(TRACES * percent / 100), seed -> checkOne(size, seed));
    }

    /**
     * Checks one seed. A failure counts if it is repeated: the timer of a store removes idle keys once a second, so a trace that
     * is interrupted for that long may lose the widest window that a limit had before it was changed.
     */
    private static void checkOne(Size size, long seed) {
        Scenario scenario = new Scenario(size, seed);
        try {
            checkOnce(scenario, seed);
        } catch (AssertionError broken) {
            checkOnce(scenario, seed);
        }
    }

    private static void checkOnce(Scenario scenario, long seed) {
        TraceProperty.check(seed, 1, scenario.steps(), scenario::step, trace -> new OracleTrace(scenario).check(trace));
    }

    /** Runs all seeds below {@code count}; the first failure ends it. */
    private static void inParallel(long count, LongConsumer check) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        AtomicBoolean failed = new AtomicBoolean();
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            workers.add(executor.submit(() -> {
                for (long from = next.getAndAdd(CHUNK); from < count && !failed.get(); from = next.getAndAdd(CHUNK)) {
                    for (long seed = from; seed < Math.min(count, from + CHUNK) && !failed.get(); seed++) {
                        try {
                            check.accept(seed);
                        } catch (AssertionError | RuntimeException broken) {
                            failed.set(true);
                            throw broken;
                        }
                    }
                }
            }));
        }
        executor.shutdown();
        for (Future<?> worker : workers) {
            try {
                worker.get();
            } catch (ExecutionException failure) {
                throw new AssertionError(failure.getCause().getMessage(), failure.getCause());
            }
        }
    }
}
