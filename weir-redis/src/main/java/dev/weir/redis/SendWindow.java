package dev.weir.redis;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a queue may send its next batch, so that few calls do not wait for each other, many calls share scripts, and the
 * server is never far behind. A batch is sent at once if at least as many requests wait as are in flight, in at most three batches.
 * Otherwise requests gather until a batch is answered; or for a millisecond, as long as the delay is that of the network: the oldest
 * batch has not been in flight for longer than a round trip is {@linkplain RoundTrips#expectedNanos expected} to take. If it has, and
 * no batch was sent alone for a second, the next one is, to measure the delay of the network again. Not thread-safe.
 */
final class SendWindow {
    private static final int SENT_AT_ONCE = 4; // fewer would let the server wait
    private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ArrayDeque<Batch> inFlight = new ArrayDeque<>();
    private final RoundTrips roundTrips;
    private long latestSentAt;
    private long latestAloneAt;
    private int requests; // in flight

    SendWindow(RoundTrips roundTrips) {
        this.roundTrips = roundTrips;
    }

    /** Whether a batch may be sent now, given the number of requests that wait. */
    boolean isOpen(long now, int waiting) {
        if (inFlight.isEmpty() || (mayPipeline(now) && now - latestSentAt >= GATHER_NANOS)) {
            return true;
        }
        boolean few = inFlight.size() < SENT_AT_ONCE && roundTrips.keepsUpWith(inFlight.size() + 1);
        return few && waiting >= requests && !(isBehind(now) && now - latestAloneAt > ALONE_NANOS);
    }

    /** Returns after how many nanoseconds a batch may be sent though none is answered; -1 if it must wait for an answer. */
    long opensAfterNanos(long now) {
        return mayPipeline(now) ? Math.max(0, GATHER_NANOS - (now - latestSentAt)) : -1;
    }

    private boolean mayPipeline(long now) {
        return roundTrips.keepsUpWith(inFlight.size() + 1) && !isBehind(now);
    }

    private boolean isBehind(long now) {
        Batch oldest = inFlight.peek();
        return oldest != null && now - oldest.sentAt() > roundTrips.expectedNanos();
    }

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    /** Whether all batches in flight are written. */
    boolean isWritten() {
        for (Batch batch : inFlight) {
            if (!batch.isWritten()) {
                return false;
            }
        }
        return true;
    }

    void sent(Batch batch) {
        if (inFlight.isEmpty()) {
            batch.sentAlone();
            latestAloneAt = batch.sentAt();
        }
        inFlight.add(batch);
        requests += batch.size();
        latestSentAt = batch.sentAt();
    }

    /**
     * Removes a batch that is not answered in time: its requests have failed, and others must not wait for it.
     *
     * @return the number of requests that are no longer in flight; zero if the batch was removed before
     */
    int abandon(Batch batch) {
        int removed = inFlight.remove(batch) ? batch.size() : 0; // the first one, as a rule
        requests -= removed;
        return removed;
    }

    /** Removes a batch as {@link #abandon} does. Records an answer; a failure says nothing about the time of a round trip. */
    int ended(Batch batch, boolean answered, long now) {
        if (answered) {
            roundTrips.record(batch, inFlight.size(), now);
        }
        return abandon(batch);
    }
}
