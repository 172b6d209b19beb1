package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that reserve permits all the time. Failures of the store are counted; anything else thrown fails the test.
 *
 * <p>After a denial or a failure a thread pauses. A store that is down fails at once, so without the pause the threads would take
 * the processor from the connection that they wait for.
 */
final class Hammer implements AutoCloseable {
    private static final long PAUSE_NANOS = 4_000_000;

    private final Trace trace = new Trace();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile String lastFailure = "none";
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** Starts the given number of threads; each requests one permit of a random key at a time. */
    Hammer(Store store, String limits, int threads, String... keys) {
        Limits parsed = Limits.parse(limits);
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> run(store, parsed, keys), "hammer-" + i);
            thread.setUncaughtExceptionHandler((failed, why) -> faults.add(why));
            thread.start();
            this.threads.add(thread);
        }
    }

    private void run(Store store, Limits limits, String... keys) {
        while (!stopped) {
            String key = keys[ThreadLocalRandom.current().nextInt(keys.length)];
            try {
                StoreReservation reservation = store.reserve(List.of(Request.of("hammer", limits, key, 1)), 0);
                answers.incrementAndGet();
                if (reservation.decision().allowed()) {
                    trace.granted(reservation, key, 1);
                    continue;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (StoreException failure) {
                lastFailure = String.valueOf(failure.getMessage());
                failures.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Returns the permits granted so far. */
    Trace trace() {
        return trace;
    }

    /** Returns the number of decisions. */
    long answers() {
        return answers.get();
    }

    /** Returns the number of calls that the store failed. */
    long failures() {
        return failures.get();
    }

    /** Waits for the given number of failures since the threads were started. */
    void awaitFailures(long enough) {
        Await.until(enough + " failures", () -> failures() >= enough, this::state);
    }

    /** Asserts that the store never failed. */
    void assertNoFailures() {
        assertThat(failures()).as("failures, the last of them: %s", lastFailure).isZero();
    }

    private String state() {
        return "; " + answers() + " answers, " + failures() + " failures, the last of them: " + lastFailure;
    }

    /** Waits for the given number of decisions whose requests were sent after this call. */
    void awaitAnswers(long more) {
        long enough = answers() + threads.size() + more;
        Await.until(more + " more decisions", () -> answers() >= enough, this::state);
    }

    /** Waits until the given number of permits more has been granted. */
    void awaitPermits(long more) {
        long enough = trace.permits() + more;
        Await.until(more + " more permits", () -> trace.permits() >= enough, this::state);
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends the threads; the trace is complete afterwards. */
    void stop() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
        }
        assertThat(faults).isEmpty();
    }
}
