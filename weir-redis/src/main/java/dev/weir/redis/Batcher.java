package dev.weir.redis;

import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.store.StoreStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of this process in batches, one script each. For each key, requests are decided in order of arrival. Each
 * completes in time, with a reservation or a {@link StoreException}; a reservation that is answered later is refunded.
 * Thread-safe; its lock is never held while calling out.
 */
final class Batcher {
    private static final int ANY_SLOT = 0;
    private static final int MAX_SENT_BY_CALLER = 8;
    private static final long TICKS_PER_TIMEOUT = 10;
    private static final long READS_PER_TIMEOUT = 4; // if nothing is answered
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // bounds what a tick has to visit

    private final ScriptRunner runner;
    private final Keys keys;
    private final DenialCache denials;
    private final RedisReservation.Refunds refunds;
    private final EventNotifier events;
    private final Timer timer;
    private final ScriptSettings settings;
    private final long tickNanos;

    private final Object lock = new Object();

    // guarded by the lock, and so are the queues
    private final BatchQueues queues;
    private final RoundTripStatistics roundTrips = new RoundTripStatistics();
    private boolean changing; // also set after an Error in the middle of a change
    private boolean ticking;
    private volatile long readingUntil; // time stands still because it is not known whether the I/O thread runs

    /** Creates a batcher; what is answered too late is refunded. */
    Batcher(
            ScriptRunner runner,
            Keys keys,
            DenialCache denials,
            RedisReservation.Refunds refunds,
            EventNotifier events,
            Timer timer,
            ScriptSettings settings) {
        this.runner = runner;
        this.keys = keys;
        this.denials = denials;
        this.refunds = refunds;
        this.events = events;
        this.timer = timer;
        this.settings = settings;
        this.queues = new BatchQueues(settings.timeoutNanos());
        this.tickNanos = Math.min(MAX_TICK_NANOS, settings.timeoutNanos() / TICKS_PER_TIMEOUT);
    }

    /**
     * Decides requests, all or none, in one script with others.
     *
     * @param requests the requests; on a cluster for keys of one slot
     * @param awaited whether the caller blocks until the future completes, and adds no dependent stage
     */
    CompletableFuture<StoreReservation> decide(List<Request> requests, long maxWaitNanos, boolean awaited) {
        int slot = runner.isCluster() ? Keys.slot(keys.of(requests)) : ANY_SLOT;
        CircuitBreaker server = runner.circuit(slot);
        StoreException failure = server.failure();
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        PendingRequest pending;
        BatchQueue queue;
        Pipeline first;
        synchronized (lock) {
            int inFlight = queues.size();
            if (inFlight >= settings.maxInFlight()) {
                return CompletableFuture.failedFuture(StoreException.overload(inFlight));
            }
            beginChange();
            tick();
            long now = timer.nanos(); // the timer is awake now: a pause before that may count as its sleep
            pending = new PendingRequest(slot, requests, maxWaitNanos, awaited, now, settings.timeoutNanos());
            queue = queues.of(pending, server);
            queue.add(pending);
            first = startSending(queue, now);
            changing = false;
        }
        sendAll(queue, first);
        return pending;
    }

    /**
     * Begins a change of the queues. If a thread ended in the middle of another one, by a StackOverflowError for example, they may be
     * inconsistent, and are replaced: the requests in them fail by their deadline, or complete when their batch is answered.
     */
    private void beginChange() {
        if (changing) {
            queues.replaceAll();
        }
        changing = true;
    }

    /** Returns a pipeline that the calling thread has to send, if any; else makes sure that what waits is sent later. */
    private @Nullable Pipeline startSending(BatchQueue queue, long now) {
        if (queue.isReady(now) && !queue.sendsInOrderOn(Thread.currentThread())) {
            var unused = timer.schedule(() -> sendAll(queue), 0);
            return null;
        }
        Pipeline pipeline = queue.poll(now);
        long nanos = pipeline == null ? queue.gather(now) : -1;
        if (nanos >= 0) {
            var unused = timer.schedule(() -> sendAll(queue), nanos);
        }
        return pipeline;
    }

    /** Sends what waits in a queue and may be sent now, unless another thread does: pipelines are sent in order. */
    private void sendAll(BatchQueue queue) {
        Pipeline first;
        synchronized (lock) {
            beginChange();
            first = queues.contains(queue) ? startSending(queue, timer.nanos()) : null;
            changing = false;
        }
        sendAll(queue, first);
    }

    /**
     * Sends a pipeline, and those after it that may be sent now. After a few batches the timer continues, so that no caller sends the
     * requests of others for long.
     */
    private void sendAll(BatchQueue queue, @Nullable Pipeline first) {
        Pipeline next = first;
        for (int sent = 0; next != null && sent < MAX_SENT_BY_CALLER; ) {
            sent += next.batches().size();
            next = send(queue, next);
        }
        if (next != null) {
            Pipeline rest = next;
            var unused = timer.schedule(() -> sendAll(queue, rest), 0);
        }
    }

    /** Sends a pipeline, and returns the next one that the calling thread has to send, if any. */
    private @Nullable Pipeline send(BatchQueue queue, Pipeline pipeline) {
        for (Batch batch : pipeline.batches()) {
            send(queue, pipeline, batch);
        }
        synchronized (lock) {
            beginChange();
            queue.sent(pipeline);
            Pipeline next = queues.contains(queue) ? startSending(queue, timer.nanos()) : null;
            changing = false;
            return next;
        }
    }

    private void send(BatchQueue queue, Pipeline pipeline, Batch batch) {
        CompletableFuture<Object> reply = run(queue, pipeline, batch);
        boolean failedAtOnce = reply.isDone(); // then this thread sends the next pipeline, in a loop
        var unused = reply.whenComplete((packed, failure) -> {
            complete(queue, pipeline, batch, packed, failure);
            if (!failedAtOnce) {
                sendAll(queue);
            }
        });
    }

    private CompletableFuture<Object> run(BatchQueue queue, Pipeline pipeline, Batch batch) {
        ScriptRunner.Progress progress = new ScriptRunner.Progress() {
            @Override
            public void written() {
                batch.written();
                long until = readingUntil;
                if (timer.nanos() < until) {
                    read(queue, until);
                }
            }

            @Override
            public boolean split() {
                return sendApart(queue, pipeline, batch);
            }

            @Override
            public void moving() {
                waitApart(queue, pipeline, batch);
            }
        };
        try {
            CircuitBreaker circuit = runner.circuit(batch.slot());
            batch.sentTo(circuit);
            byte[][] values = PackedRequests.of(settings.time().get(), batch.groups(), false);
            byte[][] names = keys.of(batch.requestsByKey());
            return runner.run(batch.script(), circuit, names, values, settings.timeoutNanos(), progress);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        } catch (Error failure) { // of the calling thread, which may be that of another request
            return CompletableFuture.failedFuture(new StoreException("the request could not be sent", failure));
        }
    }

    /** Sends a script for each group of a batch, because Redis may run some of them while the slot moves. Returns false for a single one. */
    private boolean sendApart(BatchQueue queue, Pipeline pipeline, Batch batch) {
        if (batch.groups().size() == 1) {
            return false;
        }
        release(queue, pipeline, batch);
        batch.parts().forEach(part -> send(queue, pipeline, part));
        return true;
    }

    /** Lets requests for other keys be sent though a batch waits for its slot to move, and keeps those for its key apart. */
    private void waitApart(BatchQueue queue, Pipeline pipeline, Batch batch) {
        BatchQueue own;
        CircuitBreaker server = runner.circuit(batch.slot());
        synchronized (lock) {
            beginChange();
            own = queues.ofMoving(batch.requests().get(0), server);
            changing = false;
        }
        if (queue != own) {
            release(queue, pipeline, batch);
        }
    }

    /** Stops waiting for a batch, so that others can be sent. */
    private void release(BatchQueue queue, Pipeline pipeline, Batch batch) {
        synchronized (lock) {
            beginChange();
            if (queues.contains(queue)) {
                queue.ended(pipeline, batch, List.of(), timer.nanos());
            }
            changing = false;
        }
        sendAll(queue);
    }

    private void complete(
            BatchQueue queue, Pipeline pipeline, Batch batch, @Nullable Object packed, @Nullable Throwable failure) {
        List<Answer> answers = List.of();
        Throwable why = failure;
        try {
            answers = packed instanceof byte[] bytes ? Reply.answers(bytes, batch.groups()) : answers;
        } catch (RuntimeException unreadable) {
            why = new StoreException("the answer of Redis is unreadable", unreadable);
        }
        synchronized (lock) {
            beginChange();
            long now = timer.nanos();
            if (queues.contains(queue)) {
                queue.ended(pipeline, batch, answers, now);
            }
            if (!answers.isEmpty()) {
                roundTrips.record(batch, now);
            }
            changing = false;
        }
        denials.learn(batch, answers);
        if (why != null) {
            batch.fail(why, timer);
            return;
        }
        LateGrants late = new LateGrants(refunds);
        for (int i = 0; i < answers.size(); i++) {
            complete(batch.requests().get(i), answers.get(i), late);
        }
        late.refund();
    }

    private void complete(PendingRequest pending, Answer answer, LateGrants late) {
        if (answer.isUndecided()) {
            return; // it is in the queue again
        }
        if (answer.isRefused()) {
            StoreException refused = new StoreException("Redis refused: " + answer.refusal());
            events.refused(refused);
            pending.completeExceptionally(refused);
            return;
        }
        if (!pending.complete(new RedisReservation(refunds, pending.requests(), answer))) {
            late.add(pending.requests(), answer); // or abandoned
        }
    }

    /** Returns the calls in flight and the round trips. */
    StoreStatistics statistics() {
        synchronized (lock) {
            return roundTrips.of(queues.size(), timer.nanos());
        }
    }

    private void tick() {
        if (!ticking) {
            var unused = timer.schedule(this::tickNow, tickNanos);
            ticking = true;
        }
    }

    private void tickNow() {
        List<BatchQueue> busy;
        synchronized (lock) {
            beginChange();
            ticking = false;
            busy = queues.busy();
            if (!busy.isEmpty()) {
                tick(); // before what follows, an Error in which must not end the ticks
            }
            changing = false;
        }
        busy.forEach(this::tickNow);
    }

    /**
     * Lets requests expire. Then, if nothing has been read for a while, time stands still until the I/O thread runs, once for a request
     * and for a limited time: the answers may be there, and only that thread is late, or the one that sends the request.
     */
    private void tickNow(BatchQueue queue) {
        long now = expire(queue);
        Batch unread;
        long until;
        synchronized (lock) {
            unread = now < readingUntil ? null : queue.unread(now, settings.timeoutNanos() / READS_PER_TIMEOUT);
            if (unread == null) {
                return;
            }
            timer.hold(settings.lateNanos());
            until = timer.nanos() + settings.lateNanos(); // not before the deadline of any request until here
            readingUntil = until;
        }
        if (unread.isWritten()) {
            runner.whenReading(keys.of(unread.requestsByKey())[0], () -> read(queue, until));
        }
    }

    /** Records that the I/O thread runs. Time goes on, unless the thread has been asked again since then. */
    private void read(BatchQueue queue, long until) {
        synchronized (lock) {
            long now = timer.nanos();
            queue.read(now);
            if (readingUntil == until) {
                readingUntil = now;
                timer.hold(0);
            }
        }
    }

    /**
     * Fails the requests whose deadline has passed, or that would be answered after it, and abandons the batches that are not
     * answered in time. Returns the time up to which it did so.
     */
    private long expire(BatchQueue queue) {
        List<PendingRequest> overdue = new ArrayList<>();
        List<Batch> unanswered;
        long now;
        int calls;
        boolean answering;
        synchronized (lock) {
            beginChange();
            now = timer.nanos();
            unanswered = queue.abandon(now);
            calls = queue.moveOverdue(now, overdue);
            answering = queue.isServerAnswering(now);
            changing = false;
        }
        for (PendingRequest pending : overdue) {
            boolean overload = answering && !pending.isSent();
            pending.fail(overload ? StoreException.overload(calls) : Errors.tooLate(settings.timeoutNanos()), timer);
        }
        unanswered.forEach(batch -> batch.unanswered(now));
        if (!unanswered.isEmpty()) {
            sendAll(queue);
        }
        return now;
    }
}
