package dev.weir.benchmarks.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks the decisions on keys with one limit, by itself: when a call was sent and answered bounds the time of its decision. It
 * reports what is wrong whatever those times were. Used by one thread.
 */
final class KnownKeys {
    private static final long TICK_NANOS =
            TimeUnit.MILLISECONDS.toNanos(2); // a grant may count for a millisecond longer

    private final int permits;
    private final long windowNanos;
    private final List<Deque<long[]>> granted; // when each was sent and answered, the earliest first

    private int decisions;
    private int wrong;

    /**
     * Creates a checker.
     *
     * @param keys the number of keys
     * @param permits the limit of each in any window
     */
    KnownKeys(int keys, int permits, long windowNanos) {
        this.permits = permits;
        this.windowNanos = windowNanos;
        this.granted =
                Stream.<Deque<long[]>>generate(ArrayDeque::new).limit(keys).toList();
    }

    /** Takes a decision; those on one key come in the order in which they were sent. */
    void decided(int key, boolean allowed, long sentNanos, long answeredNanos) {
        Deque<long[]> own = granted.get(key);
        decisions++;
        if (allowed) {
            own.addLast(new long[] {sentNanos, answeredNanos});
            long[] before = own.size() > permits ? own.removeFirst() : null;
            if (before != null && answeredNanos - before[0] < windowNanos) {
                wrong++; // one too many in a window that holds all of them
            }
        } else {
            long counted = own.stream()
                    .filter(grant -> grant[1] - sentNanos > -windowNanos - TICK_NANOS)
                    .count();
            if (counted < permits) {
                wrong++;
            }
        }
    }

    int decisions() {
        return decisions;
    }

    int wrong() {
        return wrong;
    }
}
