package dev.weir.replay.analysis;

import dev.weir.Limit;
import dev.weir.testkit.WorstWindow;

/**
 * Sliding logs of all keys under one limit, as the specification defines them: a request is recorded at the end of its tick, and
 * expires a window later. Independent of the limiters.
 */
final class SlidingLogs {
    private final long permits;
    private final long tickNanos;
    private final WorstWindow admitted;

    SlidingLogs(Limit log) {
        this.permits = log.permits();
        this.tickNanos = log.accounting().tickNanos();
        this.admitted = new WorstWindow(log.windowNanos() + tickNanos);
    }

    /**
     * Admits a request if it fits. The times of one key must not decrease.
     *
     * @return the permits in the window with the request, at most {@link Long#MAX_VALUE}; -1 if the request was denied
     */
    long admit(int key, long timeNanos, long requested) {
        long before = admitted.within(key, timeNanos);
        if (requested > permits - before) {
            return -1;
        }
        // A window after the end of the tick is a window and a tick after its start.
        long tickStart = Math.floorDiv(timeNanos - 1, tickNanos) * tickNanos;
        admitted.granted(key, tickStart, timeNanos, requested);
        return before + requested;
    }
}
