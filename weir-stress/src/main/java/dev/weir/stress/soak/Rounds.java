package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The run: rounds of a tenth of a second, in which all threads decide while another changes limits. After each round the same threads
 * check what was decided, each the keys of its own stripe. Between rounds, while no thread decides, a few keys are replaced by new
 * ones, and the heap is measured from time to time. So the checker sees everything, in order, without a queue.
 *
 * <p>A run of two minutes or more rests after its first third and at its end, until every key has been removed from the store.
 */
final class Rounds {
    private static final long ROUND_NANOS = 100_000_000; // 100 ms
    private static final long CHANGE_MILLIS = 20;
    private static final long RENEWAL_NANOS = 30_000_000_000L; // of deciding, in which all keys are replaced
    private static final int PARTS = 16; // of the keys; old admissions of one part are dropped after each round
    private static final int MARKS = 60;
    private static final long LEAST_WITH_REST_NANOS = 120_000_000_000L;
    private static final long MOST_REST_NANOS = 120_000_000_000L; // all keys are visited in 30 s
    private static final long LEAST_BETWEEN_MARKS_NANOS = 3_000_000_000L;
    private static final int MOST_VIOLATIONS = 1_000; // then the run ends
    private static final long HANGS_NANOS = 300_000_000_000L; // in a round, which takes seconds on a busy machine

    final List<Caller> callers = new ArrayList<>();

    /** What happened that must not happen, in words. */
    final BlockingQueue<String> violations = new LinkedBlockingQueue<>(MOST_VIOLATIONS);

    /** Counts admissions that overlapped other calls so that nothing can be said of them. */
    final LongAdder undecided = new LongAdder();

    final HeapMarks heap = new HeapMarks();
    final Population population;
    long took;
    long deciding; // the rounds without the checks between them
    int mostKeys;
    long changes; // written by the thread that changes limits, read when it has ended

    private final Witness witness;
    private final List<Regime> regimes;
    private final SplittableRandom random = new SplittableRandom(1);
    private final LongConsumer progress;
    private final long duration;
    private final long hangsNanos;
    private final int keys;

    // Written while the threads do nothing.
    private long began;
    private long roundBegan;
    private long now;
    private long round;
    private long nextMark;
    private long nextRest;
    private long restBegan;
    private boolean resting;

    /** Prepares a run; {@code progress} accepts the nanoseconds since its start. */
    Rounds(Soak.Options options, Witness witness, LongConsumer progress) {
        this(options, witness, progress, HANGS_NANOS);
    }

    /** Prepares a run that fails if a thread takes longer than {@code hangsNanos} for its part of a round. */
    Rounds(Soak.Options options, Witness witness, LongConsumer progress, long hangsNanos) {
        this.hangsNanos = hangsNanos;
        this.witness = witness;
        this.progress = progress;
        this.duration = options.duration().toNanos();
        this.keys = options.keys();
        nextRest = duration < LEAST_WITH_REST_NANOS ? Long.MAX_VALUE : duration / 3;
        int threads = options.threads();
        regimes = Regime.all(witness);
        population = new Population(regimes, keys, threads);
        for (int i = 0; i < threads; i++) {
            callers.add(new Caller(witness, population, random.split(), violations::offer));
        }
    }

    void run() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(callers.size(), Rounds::daemon);
        ScheduledExecutorService changer = Executors.newSingleThreadScheduledExecutor();
        try {
            Future<?> changing = changer.scheduleAtFixedRate(
                    this::changeLimits, CHANGE_MILLIS, CHANGE_MILLIS, TimeUnit.MILLISECONDS);
            began = witness.now();
            boolean over = false;
            while (!over) {
                over = round(threads);
            }
            if (changing.isDone()) {
                changing.get(); // it failed
            }
        } finally {
            threads.shutdownNow();
            changer.shutdownNow();
        }
        changer.awaitTermination(1, TimeUnit.MINUTES);
        took = witness.now() - began;
    }

    /** Runs a round; returns whether it was the last. */
    private boolean round(ExecutorService threads) throws InterruptedException, ExecutionException {
        roundBegan = witness.now();
        if (resting) {
            TimeUnit.NANOSECONDS.sleep(ROUND_NANOS);
        } else {
            inParallel(threads, stripe -> callers.get(stripe).callUntil(roundBegan + ROUND_NANOS));
        }
        now = witness.now();
        deciding += resting ? 0 : now - roundBegan;
        inParallel(threads, this::check);
        callers.forEach(caller -> caller.events.clear());
        round++;
        long elapsed = witness.now() - began;
        boolean over = resting ? rest(elapsed) : next(elapsed);
        return over || violations.remainingCapacity() == 0;
    }

    private void inParallel(ExecutorService threads, IntConsumer part) throws InterruptedException, ExecutionException {
        List<Callable<Object>> parts = IntStream.range(0, callers.size())
                .mapToObj(stripe -> Executors.callable(() -> part.accept(stripe)))
                .toList();
        for (Future<Object> each : threads.invokeAll(parts, hangsNanos, TimeUnit.NANOSECONDS)) {
            if (each.isCancelled()) {
                throw new IllegalStateException(
                        "a thread hangs: no end within " + TimeUnit.NANOSECONDS.toSeconds(hangsNanos) + " s");
            }
            each.get();
        }
    }

    /** Creates a thread that does not keep the JVM alive if it hangs. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    }

    /** Whether no limit was exceeded and the heap stayed flat. */
    boolean isFine() {
        return violations.isEmpty() && heap.isFlat();
    }

    private void changeLimits() {
        regimes.get(random.nextInt(regimes.size())).change(random);
        changes++;
    }

    private void check(int stripe) {
        callers.stream()
                .flatMap(caller -> caller.events.stream())
                .filter(event -> event.log().stripe == stripe)
                .collect(Collectors.groupingBy(KeyLog.Event::log))
                .forEach((log, events) -> log.check(events, now, violations::offer, undecided));
        population.forget(stripe, round, PARTS, now);
    }

    private boolean next(long elapsed) {
        population.renew((int) Math.min(keys, keys * (now - roundBegan) / RENEWAL_NANOS + 1));
        mostKeys = Math.max(mostKeys, witness.keys());
        if (elapsed >= nextMark) {
            heap.takeBusy();
            nextMark = elapsed + Math.max(LEAST_BETWEEN_MARKS_NANOS, duration / MARKS);
            progress.accept(elapsed);
        }
        if (elapsed >= nextRest) {
            resting = true;
            restBegan = elapsed;
        }
        return !resting && elapsed >= duration;
    }

    /** Ends a rest when the store is empty, and by then the checker too. */
    private boolean rest(long elapsed) {
        if (elapsed - restBegan > MOST_REST_NANOS) {
            violations.offer(witness.keys() + " idle keys were not removed from the store");
        } else if (witness.keys() > 0) {
            return false;
        }
        heap.takeAtRest(HeapMarks.used());
        resting = false;
        nextRest = duration;
        return elapsed >= duration;
    }
}
