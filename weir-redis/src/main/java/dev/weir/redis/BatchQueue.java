package dev.weir.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for one server, or for a key that waits for its slot to move: those that wait to be sent, and those in
 * flight. Guarded by the lock of the {@link Batcher}.
 */
final class BatchQueue {
    private final WaitingRequests waiting = new WaitingRequests();
    private final RoundTrips roundTrips;
    private final SendWindow window;
    private final BatchCost costs;
    private final long timeoutNanos;
    private final BooleanSupplier allWritten; // whether no script for the server waits for the I/O thread
    private final Set<Pipeline> pipelines = new LinkedHashSet<>(); // with a batch in flight, also if it was abandoned
    private final List<PendingRequest> incomplete = new ArrayList<>(); // and those completed since the last tick
    private @Nullable Pipeline sending; // that a thread sends now
    private @Nullable Thread ioThread; // on which the latest answer arrived
    private long answeredAt;
    private long readAt; // when the I/O thread was last known to run
    private long gathersUntil; // when a thread that takes care sends what waits
    private boolean moving; // the slot of the key that it is for, if it is for one

    /**
     * Creates an empty queue.
     *
     * @param allWritten whether all scripts for the server are written
     */
    BatchQueue(BatchCost costs, long timeoutNanos, BooleanSupplier allWritten) {
        this.costs = costs;
        this.timeoutNanos = timeoutNanos;
        this.allWritten = allWritten;
        this.roundTrips = new RoundTrips(timeoutNanos);
        this.window = new SendWindow(roundTrips);
        this.answeredAt = -timeoutNanos;
    }

    /** Returns an empty queue, which keeps the deadlines of these requests. */
    BatchQueue replacement() {
        BatchQueue made = new BatchQueue(costs, timeoutNanos, allWritten);
        made.incomplete.addAll(incomplete);
        return made;
    }

    void add(PendingRequest pending) {
        incomplete.add(pending);
        waiting.add(pending);
    }

    /** Returns the number of requests that wait, or whose batch is in flight and not abandoned. */
    int size() {
        return waiting.size() + window.requests();
    }

    /** Whether a pipeline may be sent now, and no thread is about to send one. */
    boolean isReady(long now) {
        return sending == null
                && waiting.hasNext()
                && window.isOpen(now, waiting.size(), waiting.keys() >= BatchCost.MAX);
    }

    /**
     * Whether what a thread sends arrives behind what was sent before, such as refunds. The I/O thread writes at once, and so
     * overtakes what other threads have sent and it has not written yet.
     */
    boolean sendsInOrderOn(Thread thread) {
        return thread != ioThread || allWritten.getAsBoolean();
    }

    /** Whether nothing waits or is in flight, and the deadlines of all requests are over. */
    boolean isIdle() {
        return incomplete.isEmpty() && pipelines.isEmpty();
    }

    /**
     * Removes the requests of the next pipeline, which the calling thread has to send; null if none waits or if they have to gather.
     * No other thread may send until that thread has {@linkplain #sent sent} it.
     */
    @Nullable
    Pipeline poll(long now) {
        if (!isReady(now)) {
            return null;
        }
        PipelineBuilder builder = new PipelineBuilder(costs);
        waiting.moveTo(builder, now, roundTrips.leadNanos(), isServerAnswering(now));
        if (builder.isEmpty()) {
            return null;
        }
        Pipeline pipeline = builder.build(now);
        sending = pipeline;
        pipelines.add(pipeline);
        window.sent(pipeline);
        return pipeline;
    }

    /** Records that a pipeline is sent, answered or abandoned, so that another thread may send the next one. */
    @SuppressWarnings("ReferenceEquality") // a pipeline is its own identity
    void sent(Pipeline pipeline) {
        if (sending == pipeline) {
            sending = null;
        }
    }

    /**
     * Returns after how many nanoseconds requests that gather can be sent, of which the caller has to take care; -1 if none waits, a
     * thread is sending or takes care already, or an answer must come first.
     */
    long gather(long now) {
        if (now < gathersUntil || sending != null || !waiting.hasNext()) {
            return -1;
        }
        long nanos = window.opensAfterNanos(now);
        gathersUntil = now + Math.max(0, nanos);
        return nanos;
    }

    /**
     * Records the answers to a batch, which no longer counts as in flight. Requests that the script did not decide wait again, before
     * others.
     *
     * @param answers empty if there are none, or if the batch is sent again, or in parts, while its slot moves
     */
    void ended(Pipeline pipeline, Batch batch, List<Answer> answers, long now) {
        end(pipeline, batch, !answers.isEmpty(), now);
        if (answers.isEmpty()) {
            return;
        }
        moving = false;
        answeredAt = now;
        readAt = now;
        ioThread = Thread.currentThread();
        int from = 0;
        for (List<PendingRequest> group : batch.groups()) {
            costs.learn(group, answers.subList(from, from + group.size()));
            from += group.size();
        }
        for (int i = answers.size() - 1; i >= 0; i--) {
            if (answers.get(i).isUndecided()) {
                waiting.addFirst(batch.requests().get(i));
            } else {
                batch.requests().get(i).answered(now);
            }
        }
    }

    private void end(Pipeline pipeline, Batch batch, boolean answered, long now) {
        if (batch.isEnded()) {
            return; // it was released
        }
        window.ended(pipeline, batch, answered, now);
        waiting.answered(batch);
        if (pipeline.isEnded()) {
            sent(pipeline);
            pipelines.remove(pipeline);
        }
    }

    /** Records that its key waits for the slot to move, until a batch is answered. */
    void move() {
        moving = true;
    }

    /** Whether its key waits for the slot to move. */
    boolean isMoving() {
        return moving;
    }

    /** Whether an answer arrived within the last timeout, so that what is not sent waits for other requests. */
    boolean isServerAnswering(long now) {
        return now - answeredAt < timeoutNanos;
    }

    /** Returns a batch in flight if the I/O thread is not known to have run in the last nanoseconds. */
    @Nullable
    Batch unread(long now, long lastNanos) {
        Pipeline oldest = window.oldest();
        if (oldest == null || now - Math.max(oldest.sentAt(), readAt) < lastNanos) {
            return null;
        }
        return oldest.unanswered().get(0);
    }

    /** Records that the I/O thread runs. */
    void read(long now) {
        readAt = now;
    }

    /**
     * Removes those requests whose deadline has passed, or that would be answered after it, and adds them to a list. Returns how many
     * have not completed, with these.
     */
    int moveOverdue(long now, List<PendingRequest> overdue) {
        int before = overdue.size();
        long lead = roundTrips.leadNanos();
        boolean answering = isServerAnswering(now);
        incomplete.removeIf(
                request -> request.isDone() || (request.isOverdue(now, lead, answering) && overdue.add(request)));
        return incomplete.size() + overdue.size() - before;
    }

    /**
     * Returns the batches that are not answered in time. Stops waiting for them, and for the thread that sends them, which may have
     * ended by an Error: on a cluster another server may serve their slots by now.
     */
    List<Batch> abandon(long now) {
        List<Batch> unanswered = new ArrayList<>();
        for (Pipeline pipeline : pipelines) {
            if (now - pipeline.sentAt() >= timeoutNanos) {
                sent(pipeline);
                window.abandon(pipeline, now);
                unanswered.addAll(pipeline.unanswered());
            }
        }
        unanswered.forEach(waiting::answered);
        return unanswered;
    }
}
