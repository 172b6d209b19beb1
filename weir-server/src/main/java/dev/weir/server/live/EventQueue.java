package dev.weir.server.live;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What decisions report to the thread that samples. An offer never waits: above 16,384 events (at most some more than there are
 * threads that offer) it is dropped. Thread-safe; one thread drains.
 */
final class EventQueue {
    private static final int CAPACITY = 1 << 14;
    private static final int HALF = CAPACITY / 2;

    private final ConcurrentLinkedQueue<Consumer<KeyLists>> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private volatile Runnable halfFull = () -> {};

    /** Sets what is called for each event above half of the queue, so that none is missed while it is drained. */
    void onHalfFull(Runnable action) {
        halfFull = action;
    }

    /** Adds an event: what it adds to the lists of keys. Returns false, and drops it, if there are too many. */
    boolean offer(Consumer<KeyLists> event) {
        if (size.get() >= CAPACITY) {
            return false;
        }
        events.add(event);
        if (size.incrementAndGet() >= HALF) {
            halfFull.run();
        }
        return true;
    }

    /** Empties the queue, as far as it was filled at the start. */
    void drainTo(KeyLists lists) {
        for (int left = size.get(); left > 0; left--) {
            Consumer<KeyLists> event = events.poll();
            if (event == null) {
                return;
            }
            size.decrementAndGet();
            event.accept(lists);
        }
    }
}
