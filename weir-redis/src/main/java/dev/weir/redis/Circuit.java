package dev.weir.redis;

import dev.weir.Listener;
import dev.weir.store.StoreException;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether one server answers. A lost connection opens the circuit, or three scripts in a row that got no answer; whoever asks
 * then is refused at once. A probe every 100 ms closes it again: no request is risked for that. Thread-safe.
 */
final class Circuit {
    /** How long a probe waits for its answer. */
    static final long PROBE_SECONDS = 3;

    private static final System.Logger LOG = System.getLogger("dev.weir.redis");
    private static final String STILL = "; still away: ";
    private static final int UNANSWERED = 3;
    private static final long BETWEEN_PROBES_MILLIS = 100;

    private final ScheduledExecutorService scheduler;
    private final Supplier<CompletionStage<?>> probe;
    private final Listener listener;
    private final AtomicReference<@Nullable StoreException> open = new AtomicReference<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile boolean closed;

    /** A closed circuit; the probe is what a server answers that is there again. */
    Circuit(ScheduledExecutorService scheduler, Supplier<CompletionStage<?>> probe, Listener listener) {
        this.scheduler = scheduler;
        this.probe = probe;
        this.listener = listener;
    }

    /** Why nothing is to be sent, to be thrown; null if the server answers. */
    @Nullable
    StoreException open() {
        StoreException why = open.get();
        return why == null ? null : again(why);
    }

    /** The same for another caller: an exception that several threads throw would gather what is none of theirs. */
    static StoreException again(StoreException why) {
        return new StoreException(String.valueOf(why.getMessage()), why.getCause());
    }

    /** A script was answered. */
    void answered() {
        if (unanswered.get() != 0) {
            unanswered.set(0);
        }
    }

    /** A script was not answered in time. */
    void unanswered() {
        if (unanswered.incrementAndGet() >= UNANSWERED) {
            open(new StoreException("Redis does not answer"));
        }
    }

    /** Nothing is to be sent until a probe succeeds. */
    void open(StoreException why) {
        if (!closed && open.compareAndSet(null, why)) {
            try {
                scheduler.execute(() -> {
                    tell(() -> listener.storeDown(why));
                    tryNow();
                });
            } catch (RejectedExecutionException closedByItsOwner) {
                // then there is nothing to be tried
            }
        }
    }

    /** What a listener throws is nobody's here, and would end the thread. */
    private static void tell(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "a listener failed", failure);
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

    /** Why it opened, and why it is still open, as the last probe was told: a changed password, say. */
    private static StoreException stillAway(StoreException why, Throwable failure) {
        String first = String.valueOf(why.getMessage());
        int end = first.indexOf(STILL);
        String latest = Wire.reason(failure);
        if (first.contains(latest)) {
            return why;
        }
        return new StoreException((end < 0 ? first : first.substring(0, end)) + STILL + latest);
    }

    private void shut() {
        unanswered.set(0);
        if (open.getAndSet(null) != null) {
            tell(listener::storeUp);
        }
    }

    /** No more probes. */
    void close() {
        closed = true;
        open.set(new StoreException("the store is closed"));
    }
}
