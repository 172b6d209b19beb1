package dev.weir.redis;

import dev.weir.internal.Listeners;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Notifies the listeners of a store on a thread of its own, one event after the other. A listener may therefore call a limiter
 * and wait for Redis: it holds up neither the client's threads nor the deadlines. The thread ends when it has been idle. At
 * most 65,536 events wait; further ones are dropped, and those for which no thread can be started. Thread-safe.
 */
final class EventNotifier {
    private static final int MAX_WAITING = 65_536;
    private static final long IDLE_SECONDS = 10;
    private static final long REFUSAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final OutageLog log = new OutageLog(System::nanoTime);
    private final Listeners<StoreListener> listeners;
    private final ThreadPoolExecutor thread;
    private final AtomicLong nextRefusalAt = new AtomicLong(System.nanoTime());
    private final Object lock = new Object(); // keeps the order of events
    private final Set<Object> open = new HashSet<>(); // the open circuits; guarded by the lock

    /** Creates it for one that writes to the log and the given listeners. */
    EventNotifier(List<StoreListener> listeners) {
        List<StoreListener> all = new ArrayList<>();
        all.add(log);
        all.addAll(listeners);
        this.listeners = new Listeners<>(all);
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                task -> {
                    Thread made = new Thread(task, "weir-redis-events");
                    made.setDaemon(true);
                    made.setContextClassLoader(
                            EventNotifier.class.getClassLoader()); // not that of a web application that starts it
                    return made;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        this.thread.allowCoreThreadTimeOut(true);
    }

    /** Notifies each listener of an event, later. */
    void notifyEach(Consumer<StoreListener> event) {
        execute(() -> listeners.notifyEach(event));
    }

    /** Notifies the listeners that the store does not answer, unless another node of a cluster does not answer either. */
    void circuitOpened(Object circuit, StoreException failure) {
        synchronized (lock) {
            boolean first = open.isEmpty();
            if (open.add(circuit) && first) {
                notifyEach(listener -> listener.storeDown(failure));
            }
        }
    }

    /** Notifies the listeners that the store answers again, unless another node of a cluster does not. */
    void circuitClosed(Object circuit) {
        synchronized (lock) {
            if (open.remove(circuit) && open.isEmpty()) {
                notifyEach(StoreListener::storeUp);
            }
        }
    }

    /** Writes to the log that Redis still does not answer, if the log does not say so yet. */
    void stillDown(StoreException failure) {
        execute(() -> log.storeDown(failure));
    }

    /** Writes to the log that Redis refused a request, at most once a minute: this may go on for long, and closes no circuit. */
    void refused(StoreException failure) {
        long now = System.nanoTime();
        long due = nextRefusalAt.get();
        if (now - due >= 0 && nextRefusalAt.compareAndSet(due, now + REFUSAL_NANOS)) {
            execute(() -> OutageLog.warn(failure));
        }
    }

    /** Writes to the log that the sentinels promoted a server, and that it is used from now on. */
    void promoted(String server) {
        execute(() -> OutageLog.promoted(server));
    }

    private void execute(Runnable event) {
        try {
            thread.execute(event);
        } catch (OutOfMemoryError noThread) {
            return; // dropped
        }
    }
}
