package dev.weir.replay.analysis;

import org.jspecify.annotations.Nullable;

/**
 * Sliding logs of all keys under one limit, as the specification defines them: a request is recorded at the end of its tick, and
 * expires a window later. Written for speed over a whole trace, and independent of the limiters.
 *
 * <p>Memory: 16 bytes for each tick in a key's current window, for the keys that are asked about.
 */
final class SlidingLogs {
    private final long windowNanos;
    private final long tickNanos;
    private final long permits;
    private final @Nullable Log[] logs;

    /** Empty logs of keys numbered from 0. A limit of {@link Long#MAX_VALUE} admits everything. */
    SlidingLogs(int keys, long permits, long windowNanos, long tickNanos) {
        this.permits = permits;
        this.windowNanos = windowNanos;
        this.tickNanos = tickNanos;
        this.logs = new Log[keys];
    }

    /**
     * Admits a request if it fits. The times of one key must not decrease.
     *
     * @return the permits in the window with the request, at most {@link Long#MAX_VALUE}; -1 if the request was denied
     */
    long admit(int key, long timeNanos, long requested) {
        Log log = logs[key];
        if (log == null) {
            log = new Log();
            logs[key] = log;
        }
        log.expire(timeNanos - windowNanos);
        if (requested > permits - log.sum) {
            return -1;
        }
        long rest = timeNanos % tickNanos;
        log.add(rest == 0 ? timeNanos : timeNanos + tickNanos - rest, requested);
        return log.sum;
    }

    /** The runs of one key, oldest first, in a ring. */
    private static final class Log {
        private long[] ticks = new long[2]; // the lengths are powers of two
        private long[] runs = new long[2];
        private int oldest;
        private int count;
        private long sum;

        void expire(long until) {
            while (count > 0 && ticks[oldest] <= until) {
                sum -= runs[oldest];
                oldest = slot(1);
                count--;
            }
        }

        void add(long tick, long requested) {
            if (count > 0 && ticks[slot(count - 1)] == tick) {
                runs[slot(count - 1)] += requested;
            } else {
                append(tick, requested);
            }
            sum += requested;
        }

        private void append(long tick, long requested) {
            if (count == ticks.length) {
                ticks = unrolled(ticks);
                runs = unrolled(runs);
                oldest = 0;
            }
            int slot = slot(count++);
            ticks[slot] = tick;
            runs[slot] = requested;
        }

        /** Returns a ring of twice the length with the same entries from its start. */
        private long[] unrolled(long[] ring) {
            long[] larger = new long[2 * ring.length];
            System.arraycopy(ring, oldest, larger, 0, ring.length - oldest);
            System.arraycopy(ring, 0, larger, ring.length - oldest, oldest);
            return larger;
        }

        private int slot(int i) {
            return (oldest + i) & (ticks.length - 1);
        }
    }
}
