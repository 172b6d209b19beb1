package dev.weir.redis;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process that wait to be sent to one server, or on a cluster to one slot. Guarded by the lock of the
 * {@link Batcher}.
 */
final class BatchQueue {
    private final int slot;
    private final DenialCache denials;
    private final WaitingRequests waiting = new WaitingRequests();
    private final RoundTrips roundTrips;
    private final SendWindow window;
    private final BatchCost costs;
    private @Nullable Batch sending; // the batch that a thread sends now
    private @Nullable Thread ioThread; // on which the latest answer arrived

    /** Creates a queue for a slot; any one on a server without slots. */
    BatchQueue(int slot, DenialCache denials, RoundTrips roundTrips, BatchCost costs) {
        this.slot = slot;
        this.denials = denials;
        this.roundTrips = roundTrips;
        this.window = new SendWindow(roundTrips);
        this.costs = costs;
    }

    void add(PendingRequest pending) {
        waiting.add(pending);
    }

    int slot() {
        return slot;
    }

    /** Whether a batch may be sent now, and no thread is about to send the batches of this queue. */
    boolean isReady(long now) {
        return sending == null && !waiting.isEmpty() && window.isOpen(now, waiting.size());
    }

    /**
     * Whether what a thread sends arrives behind what was sent before. The I/O thread writes at once, and so overtakes what other
     * threads have sent and it has not written yet.
     */
    boolean sendsInOrderOn(Thread thread) {
        return thread != ioThread || window.isWritten();
    }

    /** Whether nothing waits or is in flight, so that it can be removed and created again. */
    boolean isIdle() {
        return sending == null && waiting.isEmpty() && window.isEmpty();
    }

    /**
     * Removes the requests of the next batch, which the calling thread has to send; null if none waits or if they have to gather.
     * No other thread may send until that thread has {@linkplain #sent sent} it.
     *
     * @param dropped receives the number of requests that were removed because they are complete or overdue
     */
    @Nullable
    Batch poll(long now, Consumer<Integer> dropped) {
        if (!isReady(now)) {
            return null;
        }
        BatchBuilder builder = new BatchBuilder(costs, denials);
        dropped.accept(waiting.moveTo(builder, now, roundTrips.leadNanos()));
        if (builder.isEmpty()) {
            return null;
        }
        Batch batch = builder.build(slot, now);
        sending = batch;
        window.sent(batch);
        return batch;
    }

    /** Records that a batch is sent. Returns false if it is answered or abandoned, so that another thread may send the next one. */
    @SuppressWarnings("ReferenceEquality") // a batch is its own identity
    boolean sent(Batch batch) {
        boolean mine = sending == batch;
        sending = mine ? null : sending;
        return mine;
    }

    /**
     * Returns after how many nanoseconds requests that gather can be sent; -1 if none waits, a thread is sending, or an answer must
     * come first.
     */
    long opensAfterNanos(long now) {
        return sending != null || waiting.isEmpty() ? -1 : window.opensAfterNanos(now);
    }

    /**
     * Records the answers to a batch, or that there are none. Requests that the script did not decide wait again, before others.
     *
     * @return the number of requests that neither wait nor are in flight now, if they did before
     */
    int ended(Batch batch, List<Answer> answers, long now) {
        boolean unused = sent(batch);
        int ended = window.ended(batch, !answers.isEmpty(), now);
        if (answers.isEmpty()) {
            return ended;
        }
        ioThread = Thread.currentThread();
        int to = answers.size();
        for (int i = batch.groups().size() - 1; i >= 0; i--) {
            List<PendingRequest> requests = batch.groups().get(i).requests();
            int from = to - requests.size();
            costs.learn(requests, answers.subList(from, to));
            for (int each = to - 1; each >= from; each--) {
                if (answers.get(each).isUndecided()) {
                    waiting.addFirst(requests.get(each - from));
                    ended--;
                }
            }
            to = from;
        }
        return ended;
    }

    /**
     * Stops waiting for the answer to a batch, and for the thread that sends it: it may have ended by an Error.
     *
     * @return the number of requests that are no longer in flight
     */
    int abandon(Batch batch) {
        boolean unused = sent(batch);
        return window.abandon(batch);
    }
}
