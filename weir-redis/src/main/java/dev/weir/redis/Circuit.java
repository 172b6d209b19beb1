package dev.weir.redis;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether one server answers. A lost connection opens the circuit, and so do three scripts in a row without an answer; requests
 * then fail at once. A probe every 100 ms closes it again, so that no request is risked. Thread-safe.
 */
final class Circuit {
    /** How long a probe waits for its answer. */
    static final long PROBE_SECONDS = 3;

    private static final String STILL = "; still unavailable: ";
    private static final int UNANSWERED = 3;
    private static final long BETWEEN_PROBES_MILLIS = 100;

    private final ScheduledExecutorService scheduler;
    private final Supplier<CompletionStage<?>> probe;
    private final EventThread events;
    private final AtomicReference<@Nullable StoreException> open = new AtomicReference<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile boolean closed;

    /** Creates a closed circuit; the probe completes if the server answers again. */
    Circuit(ScheduledExecutorService scheduler, Supplier<CompletionStage<?>> probe, EventThread events) {
        this.scheduler = scheduler;
        this.probe = probe;
        this.events = events;
    }

    /** Returns why requests fail at once, to be thrown; null if the server answers. */
    @Nullable
    StoreException open() {
        StoreException why = open.get();
        return why == null ? null : again(why);
    }

    /** Returns a copy for another caller: an exception thrown by several threads would collect suppressed exceptions of all. */
    static StoreException again(StoreException why) {
        return new StoreException(String.valueOf(why.getMessage()), why.getCause());
    }

    /** Records that a script was answered. */
    void answered() {
        if (unanswered.get() != 0) {
            unanswered.set(0);
        }
    }

    /** Records that a script was not answered in time. */
    void unanswered() {
        if (unanswered.incrementAndGet() >= UNANSWERED) {
            open(new StoreException("Redis does not answer"));
        }
    }

    /** Opens the circuit until a probe succeeds. */
    void open(StoreException why) {
        if (!closed && open.compareAndSet(null, why)) {
            events.notifyEach(listener -> listener.storeDown(why));
            try {
                scheduler.execute(this::tryNow);
            } catch (RejectedExecutionException clientClosed) {
                // nothing can be sent any more
            }
        }
    }

    private void tryNow() {
        if (closed) {
            return;
        }
        CompletableFuture<?> answer;
        try {
            answer = probe.get().toCompletableFuture();
        } catch (RuntimeException failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<?> unused = answer.copy()
                .orTimeout(PROBE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((there, failure) -> {
                    if (failure == null) {
                        shut();
                    } else if (!closed) {
                        open.updateAndGet(why -> why == null ? null : stillAway(why, failure));
                        var unusedToo = scheduler.schedule(this::tryNow, BETWEEN_PROBES_MILLIS, TimeUnit.MILLISECONDS);
                    }
                });
    }

    /** Returns why it opened, and why the last probe failed: because of a changed password, for example. */
    private static StoreException stillAway(StoreException why, Throwable failure) {
        String first = String.valueOf(why.getMessage());
        int end = first.indexOf(STILL);
        String latest = reason(failure);
        if (first.contains(latest)) {
            return why;
        }
        return new StoreException((end < 0 ? first : first.substring(0, end)) + STILL + latest);
    }

    /** Returns the message of the innermost cause that has one, in one line; the type of the root cause if none has. */
    static String reason(Throwable failure) {
        String innermost = null;
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            innermost = message == null || message.isBlank() ? innermost : message;
            root = cause;
        }
        if (root instanceof TimeoutException) {
            return "no answer";
        }
        return innermost == null
                ? root.getClass().getSimpleName()
                : innermost.strip().replaceAll("\\s+", " ");
    }

    private void shut() {
        unanswered.set(0);
        if (open.getAndSet(null) != null) {
            events.notifyEach(StoreListener::storeUp);
        }
    }

    /** Ends the probes. */
    void close() {
        closed = true;
        open.set(new StoreException("the store is closed"));
    }
}
