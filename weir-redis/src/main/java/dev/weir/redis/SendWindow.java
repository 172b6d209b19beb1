package dev.weir.redis;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a queue may send its next pipeline, so that few calls do not wait for each other, many calls share scripts, and the
 * server is never far behind. A pipeline is sent at once if at least as many requests wait as are in flight, in at most three
 * pipelines. Otherwise requests gather until a batch is answered; or for a millisecond, or until they fill one of eight pipelines,
 * as long as the delay is that of the network: the oldest pipeline has not been in flight for longer than a round trip is
 * {@linkplain RoundTrips#expectedNanos expected} to take. If it has, and none was sent alone for a second, the next one is, to
 * measure the delay of the network again. Not thread-safe.
 */
final class SendWindow {
    private static final int SENT_AT_ONCE = 4; // fewer would let the server wait
    private static final int FULL_AT_ONCE = 8; // more would be late after a burst on a slow server
    private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ArrayDeque<Pipeline> inFlight = new ArrayDeque<>();
    private final RoundTrips roundTrips;
    private long latestSentAt;
    private long latestAloneAt;
    private int requests; // in flight
    private double load; // of the pipelines in flight

    SendWindow(RoundTrips roundTrips) {
        this.roundTrips = roundTrips;
    }

    /** Whether a pipeline may be sent now, given the number of requests that wait, and whether they fill it. */
    boolean isOpen(long now, int waiting, boolean full) {
        boolean gathered = now - latestSentAt >= GATHER_NANOS || (full && inFlight.size() < FULL_AT_ONCE);
        if (inFlight.isEmpty() || (mayPipeline(now) && gathered)) {
            return true;
        }
        boolean few = inFlight.size() < SENT_AT_ONCE && roundTrips.keepsUpWithMoreThan(load);
        return few && waiting >= requests && !(isBehind(now) && now - latestAloneAt > ALONE_NANOS);
    }

    /** Returns after how many nanoseconds a pipeline may be sent though none is answered; -1 if it must wait for an answer. */
    long opensAfterNanos(long now) {
        return mayPipeline(now) ? Math.max(0, GATHER_NANOS - (now - latestSentAt)) : -1;
    }

    private boolean mayPipeline(long now) {
        return roundTrips.keepsUpWithMoreThan(load) && !isBehind(now);
    }

    /** Returns the oldest pipeline in flight. */
    @Nullable
    Pipeline oldest() {
        return inFlight.peek();
    }

    private boolean isBehind(long now) {
        Pipeline oldest = oldest();
        return oldest != null && now - oldest.sentAt() > roundTrips.expectedNanos();
    }

    /** Returns the number of requests in flight. */
    int requests() {
        return requests;
    }

    void sent(Pipeline pipeline) {
        if (inFlight.isEmpty()) {
            pipeline.sentAlone();
            latestAloneAt = pipeline.sentAt();
        }
        inFlight.add(pipeline);
        load += pipeline.load();
        pipeline.batches().forEach(batch -> requests += batch.size());
        latestSentAt = pipeline.sentAt();
    }

    /** Removes a pipeline that is not answered in time: its requests have failed, and others must not wait for it. */
    void abandon(Pipeline pipeline, long now) {
        if (inFlight.remove(pipeline)) { // the first one, as a rule
            load -= pipeline.load();
            roundTrips.lost(pipeline, now);
            pipeline.unanswered().forEach(batch -> requests -= batch.size());
        }
    }

    /**
     * Removes a batch that is answered or has failed. Records the round trip when all of its pipeline are answered; a failure says
     * nothing about the time of a round trip.
     */
    void ended(Pipeline pipeline, Batch batch, boolean answered, long now) {
        pipeline.ended(batch, answered);
        if (pipeline.isAnswered()) {
            roundTrips.record(pipeline, load, now);
        }
        if (inFlight.contains(pipeline)) { // else it was abandoned
            requests -= batch.size();
        }
        if (pipeline.isEnded() && inFlight.remove(pipeline)) {
            load -= pipeline.load();
        }
    }
}
