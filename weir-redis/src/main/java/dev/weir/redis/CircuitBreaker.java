package dev.weir.redis;

import dev.weir.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether one server answers. The circuit opens, so that requests fail at once, if the connection is lost, if the server is not
 * a primary, or if no script is answered in time for three timeouts. Probes close it again. They are 100 ms apart, then up to
 * 500 ms. A circuit that opens again within 10 s stays open for 100 ms, and for twice as long each time, up to 1 s, so that a
 * slow server does not open and close it all the time. It also knows whether all scripts for its server are written. Thread-safe.
 */
final class CircuitBreaker {
    /** How long a probe waits for its answer before the connection counts as lost. */
    static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** How long the start may take, which loads hundreds of classes. A server that hangs fails it earlier. */
    static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int TIMEOUTS_TO_OPEN = 3;
    private static final long FIRST_DELAY_MILLIS = 100;
    private static final long MAX_DELAY_MILLIS = 500;
    private static final long MAX_STAY_MILLIS = 1_000;
    private static final long STABLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ScheduledExecutorService scheduler;
    private final Supplier<CompletionStage<?>> probe;
    private final EventNotifier events;
    private final Timer timer;
    private final long timeoutNanos;
    private final Object lock = new Object();

    // written under the lock
    private volatile @Nullable StoreException failure; // null while closed
    private volatile boolean shutDown;

    private final AtomicInteger unwritten = new AtomicInteger(); // scripts that wait for the I/O thread
    private volatile boolean starting; // the first attempt to connect is in progress

    // races are benign: the next script decides
    private volatile long silentSince; // from when on no script was answered in time
    private volatile long silentUntil; // when that was last noticed
    private volatile boolean silent;

    // guarded by the lock
    private @Nullable StoreException cause; // why it opened; null while closed
    private long closedAt = -STABLE_NANOS;
    private long movedAt = -STABLE_NANOS;
    private long stayMillis;
    private long delayMillis;

    /**
     * Creates a closed circuit.
     *
     * @param probe starts a probe; the future completes if the server answers requests again
     * @param timeoutNanos the time in which a script has to be answered
     */
    CircuitBreaker(
            ScheduledExecutorService scheduler,
            Supplier<CompletionStage<?>> probe,
            EventNotifier events,
            Timer timer,
            long timeoutNanos) {
        this.scheduler = scheduler;
        this.probe = probe;
        this.events = events;
        this.timer = timer;
        this.timeoutNanos = timeoutNanos;
    }

    /** Returns why requests fail at once, to be thrown; null if the circuit is closed. */
    @Nullable
    StoreException failure() {
        StoreException why = failure;
        return why == null ? null : Errors.copy(why);
    }

    /**
     * Connects, at most twice: what loads classes may be too late for a node of a cluster, and on some threads the client hands out a
     * connection a moment before it sends commands on it. The circuit does not open before that has failed, so that the reason is
     * known. The future does not fail.
     *
     * @param attempt connects once
     * @param place where the server is
     */
    CompletableFuture<Void> start(Supplier<CompletableFuture<Void>> attempt, String place) {
        long startedAt = timer.nanos();
        starting = true;
        return timer.orTimeout(attempt.get().exceptionallyCompose(failed -> attempt.get()), START_NANOS)
                .whenComplete((made, failed) -> starting = false)
                .exceptionally(failed -> {
                    String reason = "Redis cannot be reached at " + place + ": " + Errors.reason(failed);
                    open(new StoreException(reason), startedAt);
                    return null;
                });
    }

    /** Records that a script waits until the I/O thread writes it. */
    void sending() {
        unwritten.incrementAndGet();
    }

    /** Records that a script is written, or has failed before that. */
    void written() {
        unwritten.decrementAndGet();
    }

    /** Whether all scripts for this server are written, so that what the I/O thread sends now arrives behind them. */
    boolean isAllWritten() {
        return unwritten.get() == 0;
    }

    /** Records the answer to a script that was sent at this time. */
    void answered(long sentAt) {
        long now = timer.nanos();
        if (now - sentAt >= timeoutNanos) {
            unanswered(sentAt, now);
        } else if (silent) {
            silent = false;
        }
    }

    /** Records that a script that was sent at this time has not been answered in time. */
    void unanswered(long sentAt, long now) {
        long longest = TIMEOUTS_TO_OPEN * timeoutNanos;
        if (!silent || now - silentUntil >= longest) { // nothing was sent in between
            silentSince = now - timeoutNanos; // not earlier: it may be this process that was paused
            silent = true;
        }
        silentUntil = now;
        if (now - silentSince >= longest) {
            open(new StoreException("Redis does not answer"), sentAt);
        }
    }

    /**
     * Opens the circuit until a probe succeeds, unless it has been closed since then, or another server has been used.
     *
     * @param since when the request was sent that failed, by {@link Timer#nanos}
     * @return whether the circuit was closed
     */
    boolean open(StoreException why, long since) {
        synchronized (lock) {
            if (shutDown || starting || failure != null || since - closedAt < 0 || since - movedAt <= 0) {
                return false;
            }
            boolean again = timer.nanos() - closedAt < STABLE_NANOS;
            stayMillis = again ? Math.min(MAX_STAY_MILLIS, Math.max(FIRST_DELAY_MILLIS, 2 * stayMillis)) : 0;
            probeAfter(stayMillis); // before it is open: an Error of the caller's thread here must not leave it so
            delayMillis = FIRST_DELAY_MILLIS;
            cause = why;
            failure = why;
            events.circuitOpened(this, why);
        }
        return true;
    }

    private void probeAfter(long millis) {
        try {
            var unused = scheduler.schedule(this::probeNow, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException clientClosed) { // nothing can be sent from then on
            shutDown = true;
        }
    }

    private void probeNow() {
        if (shutDown) {
            return;
        }
        CompletableFuture<?> answer;
        try {
            answer = timer.orTimeout(probe.get().toCompletableFuture().copy(), PROBE_NANOS);
        } catch (RuntimeException | Error failed) { // an OutOfMemoryError if no thread can be started
            answer = CompletableFuture.failedFuture(failed);
        }
        CompletableFuture<?> unused = answer.whenComplete((passed, failed) -> {
            if (failed == null) {
                close(false);
            } else {
                stayOpen(failed);
            }
        });
    }

    private void stayOpen(Throwable latest) {
        synchronized (lock) {
            if (shutDown || cause == null) {
                return;
            }
            probeAfter(delayMillis); // first: an Error below, as of a full heap, must not end the probes
            delayMillis = Math.min(MAX_DELAY_MILLIS, 2 * delayMillis);
            StoreException why = stillUnavailable(cause, latest);
            failure = why;
            events.stillDown(why);
            if (why != cause && Errors.isRefused(latest)) {
                events.refused(why); // the log has only the cause, which may be a lost connection
            }
        }
    }

    /** Returns why it opened, and why the last probe failed: because of a changed password, for example. */
    private static StoreException stillUnavailable(StoreException cause, Throwable latest) {
        String first = String.valueOf(cause.getMessage());
        String reason = Errors.reason(latest);
        return first.contains(reason) ? cause : new StoreException(first + "; still unavailable: " + reason);
    }

    private void close(boolean forGood) {
        synchronized (lock) {
            boolean wasOpen = !shutDown && failure != null;
            shutDown |= forGood;
            if (!wasOpen) {
                return;
            }
            cause = null;
            failure = null;
            silent = false;
            closedAt = timer.nanos();
            events.circuitClosed(this);
        }
    }

    /** Records that another server is used from now on, so that what was sent to the former one does not open the circuit. */
    void moved() {
        synchronized (lock) {
            movedAt = timer.nanos();
        }
    }

    /** Closes the circuit of a server that no longer serves requests, and ends the probes. */
    void retire() {
        close(true);
    }

    /** Whether no request uses it again, except those that have it already. */
    boolean isRetired() {
        return shutDown;
    }

    /** Ends the probes. Requests fail from now on. */
    void shutDown() {
        synchronized (lock) {
            shutDown = true;
            failure = new StoreException("the store is closed");
        }
    }
}
