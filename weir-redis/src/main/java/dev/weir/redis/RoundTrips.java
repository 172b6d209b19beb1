package dev.weir.redis;

import java.util.concurrent.TimeUnit;

/**
 * What the times of round trips tell about a server: how long a round trip takes through the network, by the fastest of pipelines
 * that were sent alone in the last one to two seconds in which there were any; and how many pipelines the server keeps up with: fewer
 * after a full one that was answered late, more after any other, as in a congestion window that depends on the delay. Of the timeout,
 * an eighth is for requests that wait on the server, and another one for pauses. Not thread-safe.
 */
final class RoundTrips {
    private static final long MAX_BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int BACKLOGS_PER_TIMEOUT = 8;
    private static final double MAX_LEAD = 0.75; // of the timeout
    private static final int MAX_PIPELINES = 64;
    private static final double REDUCTION = 0.75;

    private final long timeoutNanos;
    private final long backlogNanos;
    private final Extreme fastest = new Extreme(TimeUnit.SECONDS.toNanos(1));
    private double pipelines = MAX_PIPELINES; // that the server keeps up with
    private long reducedAt;

    RoundTrips(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        this.backlogNanos = timeoutNanos / BACKLOGS_PER_TIMEOUT;
        this.reducedAt = System.nanoTime() - timeoutNanos;
    }

    /**
     * Records that all batches of a pipeline are answered.
     *
     * @param inFlight the number of pipelines in flight until then
     */
    void record(Pipeline pipeline, int inFlight, long now) {
        long time = now - pipeline.sentAt();
        if (pipeline.wasSentAlone() && time < timeoutNanos) {
            fastest.record(time, now);
        }
        boolean late = time > fastest.get() + backlogNanos;
        if (!late || !pipeline.isFull()) {
            pipelines = Math.min(MAX_PIPELINES, pipelines + 1 / pipelines);
        } else if (pipeline.sentAt() - reducedAt >= 0) {
            pipelines = Math.max(1, REDUCTION * Math.min(pipelines, inFlight));
            reducedAt = now;
        }
    }

    /** Returns how long a round trip takes while more may be sent: not long, since others than this process wait for the server. */
    long expectedNanos() {
        return fastest.get() + Math.min(MAX_BACKLOG_NANOS, 2 * backlogNanos);
    }

    /** Whether the server answers this many pipelines, in flight at a time, before it is too far behind. True for one. */
    boolean keepsUpWith(int inFlight) {
        return inFlight <= pipelines;
    }

    /** Returns how long before its deadline a request must be sent; in the first quarter of its time it may always be sent. */
    long leadNanos() {
        return Math.min(fastest.get() + 2 * backlogNanos, (long) (MAX_LEAD * timeoutNanos));
    }
}
