package dev.weir.examples.payments;

/**
 * How a provider judges calls: the times of the latest accepted ones, as many as a window may contain. Shares no code with the
 * limiter. Not thread-safe.
 */
final class ExactLog {
    private final long[] accepted; // a ring; the oldest at next
    private final long windowNanos;
    private int next;
    private long count;

    ExactLog(int permits, long windowNanos) {
        this.accepted = new long[permits];
        this.windowNanos = windowNanos;
    }

    /** Accepts a call unless the window that ends now is full. A call exactly one window old is not in it. */
    boolean accept(long now) {
        if (count >= accepted.length && now - accepted[next] < windowNanos) {
            return false;
        }
        accepted[next] = now;
        next = (next + 1) % accepted.length;
        count++;
        return true;
    }
}
