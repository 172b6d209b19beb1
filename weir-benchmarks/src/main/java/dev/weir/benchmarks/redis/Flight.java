package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.internal.Futures;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a number of requests in flight: each decision starts the next request, on the thread that brings it. A thread that is
 * starting one already puts the next in line instead, so that a limiter that decides at once fills no stack.
 */
final class Flight {
    private static final long LANDING_SECONDS = 120;

    /** How many were admitted so far. */
    final LongAdder allowed = new LongAdder();

    /** How many were denied so far. */
    final LongAdder denied = new LongAdder();

    private final RemoteLimiter limiter;
    private final int keys;
    private final CountDownLatch landed;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ThreadLocal<Lane> lanes = ThreadLocal.withInitial(Lane::new);
    private volatile long requests; // to send in all; none after the flight has landed

    /** A flight that requests the keys round robin, and ends by itself after the given number of requests, or by {@link #land}. */
    private Flight(RemoteLimiter limiter, int keys, int inFlight, long requests) {
        this.limiter = limiter;
        this.keys = keys;
        this.requests = requests;
        landed = new CountDownLatch(inFlight);
    }

    /** Begins one on a thread of its own, since a limiter that decides at once would occupy this one. */
    static Flight begin(RemoteLimiter limiter, int keys, int inFlight, long requests) {
        Flight flight = new Flight(limiter, keys, inFlight, requests);
        Thread starter = new Thread(() -> flight.lanes.get().start(inFlight), "flight");
        starter.setDaemon(true);
        starter.start();
        return flight;
    }

    /**
     * Starts no more requests, and waits for those in flight.
     *
     * @throws FailedMeasureException if one failed, or is not decided in two minutes
     */
    void land() throws InterruptedException {
        requests = 0;
        awaitLanding();
    }

    /** Waits until the last request is decided. */
    void awaitLanding() throws InterruptedException {
        boolean all = landed.await(LANDING_SECONDS, TimeUnit.SECONDS);
        Throwable failed = failure.get();
        if (failed != null) {
            throw new FailedMeasureException("a request failed: " + failed.getMessage(), failed);
        } else if (!all) {
            throw new FailedMeasureException(landed.getCount() + " requests were never decided");
        }
    }

    /** The requests that a thread has still to start. */
    private final class Lane {
        private int waiting;
        private boolean running;

        void start(int requests) {
            waiting += requests;
            if (running) {
                return;
            }
            running = true;
            while (waiting > 0) {
                waiting--;
                send();
            }
            running = false;
        }
    }

    private void send() {
        long number = sent.getAndIncrement();
        if (number >= requests) {
            landed.countDown();
            return;
        }
        try {
            var unused = limiter.sending().apply((int) (number % keys)).whenComplete(this::answered);
        } catch (RuntimeException thrown) {
            answered(null, thrown);
        }
    }

    private void answered(@Nullable Boolean admitted, @Nullable Throwable thrown) {
        if (admitted != null) {
            (admitted ? allowed : denied).increment();
        } else {
            failure.compareAndSet(null, Futures.cause(Objects.requireNonNull(thrown)));
            requests = 0;
        }
        lanes.get().start(1);
    }
}
