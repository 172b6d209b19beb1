package dev.weir.stress.soak;

import java.time.Duration;
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
 * The run: rounds of a tenth of a second, in which all threads decide while another changes limits, and after each of which
 * the same threads check what was decided, each the keys of its own stripe. Between rounds, while nobody decides, a few keys
 * leave for new ones, and now and then the heap is measured. So the checker sees everything, in order, without a queue.
 *
 * <p>A run of two minutes or more rests after its first third and at its end, until every key has left the store.
 */
final class Rounds {
    private static final long ROUND_NANOS = 100_000_000; // 100 ms
    private static final long CHANGE_MILLIS = 20;
    private static final long RENEWAL_NANOS = 30_000_000_000L; // of deciding, in which all keys become others
    private static final int PARTS = 16; // of the keys; one is looked through for old admissions after each round
    private static final int MARKS = 60;
    private static final long RESTED_NANOS_AT_LEAST = 120_000_000_000L; // shorter runs do not rest
    private static final long REST_NANOS_AT_MOST = 120_000_000_000L; // all keys are visited in 30 s
    private static final long MARK_NANOS_AT_LEAST = 3_000_000_000L;

    private final Witness witness;
    private final List<Regime> regimes;
    private final Population population;
    private final List<Caller> callers = new ArrayList<>();
    private final Findings findings = new Findings();
    private final HeapMarks heap = new HeapMarks();
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
    private long deciding;
    private long nextMark;
    private int mostKeys;
    private long nextRest;
    private long restBegan;
    private boolean resting;
    private boolean over;

    private long changes; // written by the thread that changes limits, read when it is done

    Rounds(Options options, Witness witness, LongConsumer progress) {
        this.witness = witness;
        this.progress = progress;
        this.duration = options.duration().toNanos();
        this.keys = options.keys();
        nextRest = duration < RESTED_NANOS_AT_LEAST ? Long.MAX_VALUE : duration / 3;
        int threads = options.threads();
        regimes = Regime.all(witness);
        population = new Population(regimes, keys, threads);
        for (int i = 0; i < threads; i++) {
            callers.add(new Caller(witness, population, random.split(), findings));
        }
        decided = new CyclicBarrier(threads, this::roundDecided);
        checked = new CyclicBarrier(threads, this::roundChecked);
    }

    /** Runs, and tells what came of it. */
    Outcome run() throws InterruptedException, ExecutionException {
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
        return new Outcome(
                Duration.ofNanos(witness.now() - began),
                Duration.ofNanos(deciding),
                callers,
                population.seen(),
                mostKeys,
                changes,
                heap,
                findings);
    }

    private void changeLimits() {
        regimes.get(random.nextInt(regimes.size())).change(random);
        changes++;
    }

    /** One thread's part. If it fails, the others are told by the broken barrier. */
    private void callAndCheck(int stripe) {
        try {
            while (!over) {
                callOrRest(stripe);
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

    private void callOrRest(int stripe) {
        if (resting) {
            LockSupport.parkNanos(roundBegan + ROUND_NANOS - witness.now());
        } else {
            callers.get(stripe).callUntil(roundBegan + ROUND_NANOS);
        }
    }

    /** Lets nobody wait for this thread. A barrier is broken for good by who comes to it interrupted. */
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
            caller.trace.handOut(stripe, touched::add);
        }
        for (KeyLog log : touched) {
            log.check(now, findings);
        }
        population.forget(stripe, round, PARTS, now);
    }

    private void roundDecided() {
        now = witness.now();
        deciding += resting ? 0 : now - roundBegan;
    }

    private void roundChecked() {
        callers.forEach(caller -> caller.trace.clear());
        round++;
        long elapsed = witness.now() - began;
        if (resting) {
            rest(elapsed);
        } else {
            goOn(elapsed);
        }
        over |= findings.count() > Findings.ENOUGH;
        roundBegan = witness.now();
    }

    private void goOn(long elapsed) {
        population.renew((int) Math.min(keys, keys * (now - roundBegan) / RENEWAL_NANOS + 1));
        mostKeys = Math.max(mostKeys, witness.keys());
        if (elapsed >= nextMark) {
            heap.takeBusy();
            nextMark = elapsed + Math.max(MARK_NANOS_AT_LEAST, duration / MARKS);
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
        if (elapsed - restBegan > REST_NANOS_AT_MOST) {
            findings.accept(new Violation(
                    witness.keys() + " keys are still in the store though nobody asks", "any", null, List.of()));
        } else if (witness.keys() > 0) {
            return;
        }
        heap.takeAtRest();
        resting = false;
        over = elapsed >= duration;
        nextRest = duration;
    }
}
