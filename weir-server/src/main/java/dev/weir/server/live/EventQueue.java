package dev.weir.server.live;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What decisions report to the thread that samples. An offer never waits: above 16,384 events (at most some more than there are
 * threads that offer) it drops and counts. Thread-safe; one thread drains.
 */
final class EventQueue {
    private static final int CAPACITY = 1 << 14;
    private static final int HALF = CAPACITY / 2;

    private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();
    private volatile Runnable halfFull = () -> {};

    /** Something that the lists of keys show. */
    interface Event {
        /** Adds this to the lists. */
        void addTo(KeyLists lists);
    }

    /** Sets what is called by the thread that fills half of the queue. */
    void onHalfFull(Runnable action) {
        halfFull = action;
    }

    void offer(Event event) {
        if (size.get() >= CAPACITY) {
            dropped.increment();
            return;
        }
        events.add(event);
        if (size.incrementAndGet() == HALF) {
            halfFull.run();
        }
    }

    /** Empties the queue, as far as it was filled at the start. */
    void drainTo(KeyLists lists) {
        for (int left = size.get(); left > 0; left--) {
            Event event = events.poll();
            if (event == null) {
                return;
            }
            size.decrementAndGet();
            event.addTo(lists);
        }
    }

    /** Returns how many events were dropped since the start. */
    long dropped() {
        return dropped.sum();
    }
}
