package dev.weir.redis;

import dev.weir.internal.Listeners;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
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

    private final Logging log = new Logging();
    private final Listeners<StoreListener> listeners;
    private final ThreadPoolExecutor thread;
    private final AtomicLong nextRefusalAt = new AtomicLong(System.nanoTime());

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

    /** Writes to the log that Redis still does not answer, if the log does not say so yet. */
    void stillDown(StoreException failure) {
        execute(() -> log.storeDown(failure));
    }

    /** Writes to the log that Redis refused a request, at most once a minute: this may go on for long, and closes no circuit. */
    void refused(StoreException failure) {
        long now = System.nanoTime();
        long due = nextRefusalAt.get();
        if (now - due >= 0 && nextRefusalAt.compareAndSet(due, now + REFUSAL_NANOS)) {
            execute(() -> Logging.follow(failure));
        }
    }

    private void execute(Runnable event) {
        try {
            thread.execute(event);
        } catch (OutOfMemoryError noThread) {
            return; // dropped
        }
    }

    /** Writes to the log when Redis does not answer, at most once a second, and when it answers again. */
    private static final class Logging implements StoreListener {
        private static final System.Logger LOG = System.getLogger("dev.weir.redis");
        private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

        // used on one thread only
        private long nextLogAt = System.nanoTime();
        private boolean logged; // that Redis does not answer

        @Override
        public void storeDown(StoreException failure) {
            long now = System.nanoTime();
            if (!logged && now - nextLogAt >= 0) {
                logged = true;
                nextLogAt = now + INTERVAL_NANOS;
                follow(failure);
            }
        }

        static void follow(StoreException failure) {
            LOG.log(Level.WARNING, "{0}; limiters follow their failure policies", failure.getMessage());
        }

        @Override
        public void storeUp() {
            if (logged) {
                logged = false;
                LOG.log(Level.INFO, "Redis answers again");
            }
        }
    }
}
