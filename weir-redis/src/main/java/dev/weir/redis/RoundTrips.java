package dev.weir.redis;

import java.util.concurrent.TimeUnit;

/**
 * What the times of round trips tell about a server: how long a round trip takes through the network, by the fastest of pipelines
 * that were sent alone in the one to two seconds before the latest of them; and what load in flight the server keeps up with, as
 * in a congestion window that depends on the delay. It grows with each answer, at first by its whole load, and is reduced when a
 * pipeline is answered late, or not at all. Of the timeout, an eighth is for requests that wait on the server, and another one for
 * pauses. Not thread-safe.
 */
final class RoundTrips {
    private static final long MAX_BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int BACKLOGS_PER_TIMEOUT = 8;
    private static final double MAX_LEAD = 0.75; // of the timeout
    private static final double FIRST_LOAD = 8;
    private static final double MAX_LOAD = 64;
    private static final double LOAD_THAT_TELLS = 0.5; // where less is late, the reason is a pause or the network
    private static final double REDUCTION = 0.75;

    private final long timeoutNanos;
    private final long backlogNanos;
    private final Extreme fastest = new Extreme(TimeUnit.SECONDS.toNanos(1));
    private double load = FIRST_LOAD; // that the server keeps up with, in full pipelines
    private boolean reduced;
    private long reducedAt;

    RoundTrips(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        this.backlogNanos = timeoutNanos / BACKLOGS_PER_TIMEOUT;
    }

    /**
     * Records that all batches of a pipeline are answered.
     *
     * @param inFlight the load of the pipelines in flight until then
     */
    void record(Pipeline pipeline, double inFlight, long now) {
        long time = now - pipeline.sentAt();
        if (pipeline.wasSentAlone() && time < timeoutNanos) {
            fastest.record(time, now);
        }
        boolean late = time > fastest.get() + backlogNanos;
        if (late && pipeline.load() >= LOAD_THAT_TELLS) {
            reduceTo(REDUCTION * Math.min(load, inFlight), pipeline, now);
        } else {
            load = Math.min(MAX_LOAD, load + pipeline.load() / (reduced ? load : 1));
        }
    }

    /** Records that a pipeline is not answered in time. */
    void lost(Pipeline pipeline, long now) {
        if (pipeline.load() >= LOAD_THAT_TELLS) {
            reduceTo(1, pipeline, now);
        }
    }

    private void reduceTo(double less, Pipeline because, long now) {
        if (because.sentAt() - reducedAt >= 0) {
            load = Math.max(1, less);
            reduced = true;
            reducedAt = now;
        }
    }

    /** Returns how long a round trip takes while more may be sent: not long, since others than this process wait for the server. */
    long expectedNanos() {
        return fastest.get() + Math.min(MAX_BACKLOG_NANOS, 2 * backlogNanos);
    }

    /** Whether the server answers what is in flight, and a full pipeline more, before it is too far behind. */
    boolean keepsUpWithMoreThan(double inFlight) {
        return inFlight + 1 <= load;
    }

    /** Returns how long before its deadline a request must be sent; in the first quarter of its time it may always be sent. */
    long leadNanos() {
        return Math.min(fastest.get() + 2 * backlogNanos, (long) (MAX_LEAD * timeoutNanos));
    }
}
