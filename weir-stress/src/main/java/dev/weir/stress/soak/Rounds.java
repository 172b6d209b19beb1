package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

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

    final Counts counts = new Counts();
    final Violation.Collector violations = new Violation.Collector();
    final HeapMarks heap = new HeapMarks();
    final Population population;
    long took;
    long deciding; // the rounds without the checks between them
    int mostKeys;
    long changes; // written by the thread that changes limits, read when it has ended

    private final Witness witness;
    private final List<Regime> regimes;
    private final List<Caller> callers = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final LongConsumer progress;
    private final CyclicBarrier decided;
    private final CyclicBarrier checked;
    private final long duration;
    private final int keys;

    // Written between rounds, by the last thread to come to the barrier.
    private long began;
    private long roundBegan;
    private long now;
    private long round;
    private long nextMark;
    private long nextRest;
    private long restBegan;
    private boolean resting;
    private boolean over;

    /** Prepares a run; {@code progress} accepts the nanoseconds since its start. */
    Rounds(Soak.Options options, Witness witness, LongConsumer progress) {
        this.witness = witness;
        this.progress = progress;
        this.duration = options.duration().toNanos();
        this.keys = options.keys();
        nextRest = duration < LEAST_WITH_REST_NANOS ? Long.MAX_VALUE : duration / 3;
        int threads = options.threads();
        regimes = Regime.all(witness);
        population = new Population(regimes, keys, threads);
        for (int i = 0; i < threads; i++) {
            callers.add(new Caller(witness, population, random.split(), violations));
        }
        decided = new CyclicBarrier(threads, this::roundDecided);
        checked = new CyclicBarrier(threads, this::roundChecked);
    }

    void run() throws InterruptedException, ExecutionException {
        began = witness.now();
        roundBegan = began;
        ScheduledExecutorService changer = Executors.newSingleThreadScheduledExecutor();
        ExecutorService threads = Executors.newFixedThreadPool(callers.size());
        try {
            Future<?> changing = changer.scheduleAtFixedRate(
                    this::changeLimits, CHANGE_MILLIS, CHANGE_MILLIS, TimeUnit.MILLISECONDS);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < callers.size(); i++) {
                int stripe = i;
                running.add(threads.submit(() -> callAndCheck(stripe)));
            }
            for (Future<?> each : running) {
                each.get();
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
        callers.forEach(caller -> counts.add(caller.counts));
    }

    /** Whether no limit was exceeded and the heap stayed flat. */
    boolean isFine() {
        return violations.count() == 0 && heap.isFlat();
    }

    private void changeLimits() {
        regimes.get(random.nextInt(regimes.size())).change(random);
        changes++;
    }

    /** One thread's part. If it fails, the broken barrier ends the others. */
    private void callAndCheck(int stripe) {
        try {
            while (!over) {
                if (resting) {
                    LockSupport.parkNanos(roundBegan + ROUND_NANOS - witness.now());
                } else {
                    callers.get(stripe).callUntil(roundBegan + ROUND_NANOS);
                }
                decided.await();
                check(stripe);
                checked.await();
            }
        } catch (InterruptedException | BrokenBarrierException another) {
            breakBarriers(); // another thread has failed, or all are to end
        } catch (RuntimeException | Error failure) {
            breakBarriers();
            throw failure;
        }
    }

    /** Lets no thread wait for this one. A thread that comes to a barrier interrupted breaks it. */
    private void breakBarriers() {
        for (CyclicBarrier barrier : List.of(decided, checked)) {
            Thread.currentThread().interrupt();
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException broken) {
                // as intended
            }
        }
    }

    private void check(int stripe) {
        List<KeyLog> touched = new ArrayList<>();
        for (Caller caller : callers) {
            for (KeyLog.Event event : caller.events) {
                if (event.log().stripe == stripe && event.log().add(event)) {
                    touched.add(event.log());
                }
            }
        }
        touched.forEach(log -> log.check(now, violations));
        population.forget(stripe, round, PARTS, now);
    }

    private void roundDecided() {
        now = witness.now();
        deciding += resting ? 0 : now - roundBegan;
    }

    private void roundChecked() {
        callers.forEach(caller -> caller.events.clear());
        round++;
        long elapsed = witness.now() - began;
        if (resting) {
            rest(elapsed);
        } else {
            next(elapsed);
        }
        over |= violations.count() > Violation.Collector.ENOUGH;
        roundBegan = witness.now();
    }

    private void next(long elapsed) {
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
        } else {
            over = elapsed >= duration;
        }
    }

    /** Ends a rest when the store is empty, and by then the checker too. */
    private void rest(long elapsed) {
        if (elapsed - restBegan > MOST_REST_NANOS) {
            violations.accept(new Violation(
                    witness.keys() + " idle keys were not removed from the store", "any", null, List.of()));
        } else if (witness.keys() > 0) {
            return;
        }
        heap.takeAtRest();
        resting = false;
        over = elapsed >= duration;
        nextRest = duration;
    }
}
