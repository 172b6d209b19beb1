package dev.weir.internal;

import java.util.List;
import java.util.function.Consumer;

/**
 * Listeners that are notified one after the other. What a listener throws is logged, at most once a minute, and affects
 * nothing else. Thread-safe.
 *
 * @param <L> the type of listener
 */
public final class Listeners<L> {
    private final List<L> listeners;
    private final OccasionalLog log = new OccasionalLog("dev.weir");

    public Listeners(List<? extends L> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Whether there are none, so that a caller need not prepare an event. */
    public boolean isEmpty() {
        return listeners.isEmpty();
    }

    public void notifyEach(Consumer<? super L> event) {
        for (int i = 0; i < listeners.size(); i++) {
            L listener = listeners.get(i);
            try {
                event.accept(listener);
            } catch (Throwable failure) { // whatever it is, the decision has been made
                log.warn("listener " + listener.getClass().getName() + " failed", failure);
            }
        }
    }
}
