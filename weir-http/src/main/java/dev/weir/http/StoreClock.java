package dev.weir.http;

import java.util.concurrent.TimeUnit;

/**
 * Compares the clock of a store with the one of this process. A decision was made at some time between its request and its reply,
 * so the store's clock is ahead of ours by at most the time of the decision less that of the request; the least of many such
 * bounds is off by the fastest request's way only. Decisions of the latest 5 to 10 s count, in which two clocks hardly drift.
 * Thread-safe.
 */
final class StoreClock {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long NONE = Long.MAX_VALUE;

    private long periodStart;
    private long previous = NONE; // the least bound of the period before
    private long current = NONE;

    /**
     * Takes a decision into account.
     *
     * @param requestedAt our clock before the request
     * @param receivedAt our clock after the reply
     * @param decidedAt the store's clock
     * @return by how much the store's clock is ahead of ours at most
     */
    synchronized long ahead(long requestedAt, long receivedAt, long decidedAt) {
        long age = receivedAt - periodStart;
        if (age >= PERIOD_NANOS || current == NONE) {
            previous = age < 2 * PERIOD_NANOS ? current : NONE;
            current = NONE;
            periodStart = receivedAt;
        }
        long bound = decidedAt - requestedAt;
        current = Math.min(current, bound);
        long least = Math.min(previous, current);
        if (decidedAt - receivedAt > least) { // decided after it was received: the store's clock was set forward
            previous = NONE;
            current = bound;
            return bound;
        }
        return least;
    }
}
