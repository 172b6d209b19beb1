package dev.weir.internal;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Listeners that are notified one after the other. What a listener throws is logged, at most once a minute, and affects
 * nothing else. Thread-safe.
 *
 * @param <L> the type of listener
 */
public final class Listeners<L> {
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final List<L> listeners;
    private final AtomicLong nextLogAt = new AtomicLong(System.nanoTime());

    /** Listeners that are notified in this order. */
    public Listeners(List<? extends L> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Whether there are none, so that a caller need not prepare an event. */
    public boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Notifies each listener of an event. */
    public void notifyEach(Consumer<? super L> event) {
        for (int i = 0; i < listeners.size(); i++) {
            L listener = listeners.get(i);
            try {
                event.accept(listener);
            } catch (Throwable failure) { // whatever it is, the decision has been made
                log(listener, failure);
            }
        }
    }

    private void log(L listener, Throwable failure) {
        long now = System.nanoTime();
        long due = nextLogAt.get();
        if (now - due >= 0 && nextLogAt.compareAndSet(due, now + LOG_INTERVAL_NANOS)) {
            System.getLogger("dev.weir")
                    .log(
                            Level.WARNING,
                            "listener " + listener.getClass().getName()
                                    + " failed; further failures are not logged for a minute",
                            failure);
        }
    }
}
