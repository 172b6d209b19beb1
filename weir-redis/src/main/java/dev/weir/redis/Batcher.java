package dev.weir.redis;

import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.store.StoreStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of this process in batches, one script each. For each key, requests are decided in order of arrival. Each
 * completes by its deadline, with a reservation or a {@link StoreException}; a reservation that is answered later is refunded.
 * Thread-safe; its lock is never held while calling out.
 */
final class Batcher {
    private static final int ANY_SLOT = 0;
    private static final int MAX_SENT_BY_CALLER = 8;
    private static final long TICKS_PER_TIMEOUT = 10;
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // bounds what a tick has to visit

    private final ScriptRunner runner;
    private final Keys keys;
    private final DenialCache denials;
    private final RedisReservation.Refunds refunds;
    private final Timer timer;
    private final ScriptSettings settings;
    private final long timeoutNanos;
    private final long tickNanos;

    private final Object lock = new Object();

    // guarded by the lock, and so are the queues
    private final RoundTrips roundTrips;
    private final BatchCost costs = new BatchCost();
    private final Map<Integer, BatchQueue> queues = new HashMap<>(); // by slot; those that are idle are removed
    private final LinkedHashSet<Batch> batches = new LinkedHashSet<>(); // in flight
    private final List<PendingRequest> incomplete = new ArrayList<>(); // and those completed since the last tick
    private int inFlight; // requests that wait or whose batch is in flight and not abandoned
    private boolean changing; // also set after an Error in the middle of a change
    private boolean ticking;
    private boolean gathering;

    /** Creates a batcher; what is answered too late is refunded. */
    Batcher(
            ScriptRunner runner,
            Keys keys,
            DenialCache denials,
            RedisReservation.Refunds refunds,
            Timer timer,
            ScriptSettings settings) {
        this.runner = runner;
        this.keys = keys;
        this.denials = denials;
        this.refunds = refunds;
        this.timer = timer;
        this.settings = settings;
        this.timeoutNanos = settings.timeoutNanos();
        this.roundTrips = new RoundTrips(timeoutNanos);
        this.tickNanos = Math.min(MAX_TICK_NANOS, timeoutNanos / TICKS_PER_TIMEOUT);
    }

    /**
     * Decides requests, all or none, in one script with others.
     *
     * @param requests the requests; on a cluster for keys of one slot
     * @param part whether they are a part of a larger joint request
     */
    PendingRequest decideAsync(List<Request> requests, long maxWaitNanos, boolean part) {
        return submit(requests, maxWaitNanos, part, false);
    }

    /** Decides requests as {@link #decideAsync} does, and waits for the answer. */
    StoreReservation decide(List<Request> requests, long maxWaitNanos) {
        return Futures.join(submit(requests, maxWaitNanos, false, true));
    }

    private PendingRequest submit(List<Request> requests, long maxWaitNanos, boolean part, boolean awaited) {
        long now = System.nanoTime();
        PendingRequest pending = new PendingRequest(requests, maxWaitNanos, part, awaited, now + timeoutNanos);
        int slot = runner.isCluster() ? Keys.slot(keys.of(requests)) : ANY_SLOT;
        Batch batch;
        try {
            batch = enqueue(pending, slot, now);
        } catch (StoreException failure) {
            pending.completeExceptionally(failure);
            return pending;
        }
        sendAll(batch);
        return pending;
    }

    /**
     * Appends a request to its queue, and returns a batch that the calling thread has to send, if any.
     *
     * @throws StoreException if the request fails at once
     */
    private @Nullable Batch enqueue(PendingRequest pending, int slot, long now) {
        StoreException failure = runner.circuit(slot).failure();
        if (failure != null) {
            throw failure;
        }
        synchronized (lock) {
            if (inFlight >= settings.maxInFlight()) {
                throw StoreException.overload(inFlight);
            }
            beginChange();
            inFlight++;
            incomplete.add(pending);
            BatchQueue queue = queue(slot);
            queue.add(pending);
            tick();
            Batch batch = startSending(queue, now);
            changing = false;
            return batch;
        }
    }

    /**
     * Begins a change of the queues. If a thread ended in the middle of another one, by a StackOverflowError for example, they may be
     * inconsistent, and are replaced: the requests in them fail by their deadline, or complete when their batch is answered.
     */
    private void beginChange() {
        if (changing) {
            queues.clear();
            batches.clear();
            inFlight = 0;
        }
        changing = true;
    }

    /** Returns a batch that the calling thread has to send, if any; else makes sure that what waits is sent later. */
    private @Nullable Batch startSending(BatchQueue queue, long now) {
        if (!queue.isReady(now)) {
            gatherUntilOpen(queue, now);
            return null;
        }
        if (!queue.sendsInOrderOn(Thread.currentThread())) {
            var unused = timer.schedule(() -> sendAll(queue.slot()), 0);
            return null;
        }
        return poll(queue, now);
    }

    /** Returns the next batch of a queue, which the calling thread has to send; null if it has sent all that may be sent now. */
    private @Nullable Batch poll(BatchQueue queue, long now) {
        Batch batch = queue.poll(now, done -> inFlight -= done);
        if (batch != null) {
            batches.add(batch);
        } else {
            gatherUntilOpen(queue, now);
            removeIfIdle(queue);
        }
        return batch;
    }

    private void removeIfIdle(BatchQueue queue) {
        if (queue.isIdle()) {
            queues.remove(queue.slot());
        }
    }

    /** Sends the batches of a slot that may be sent now, unless another thread does: they are sent in order. */
    private void sendAll(int slot) {
        Batch batch;
        synchronized (lock) {
            beginChange();
            BatchQueue queue = queues.get(slot);
            batch = queue == null ? null : startSending(queue, System.nanoTime());
            changing = false;
        }
        sendAll(batch);
    }

    /**
     * Sends a batch, and those after it that may be sent now. After a few of them the timer continues, so that no caller sends the
     * requests of others for long.
     */
    private void sendAll(@Nullable Batch first) {
        Batch next = first;
        for (int sent = 0; next != null && sent < MAX_SENT_BY_CALLER; sent++) {
            next = send(next);
        }
        if (next != null) {
            Batch rest = next;
            var unused = timer.schedule(() -> sendAll(rest), 0);
        }
    }

    private void gatherUntilOpen(BatchQueue queue, long now) {
        long nanos = gathering ? -1 : queue.opensAfterNanos(now);
        if (nanos >= 0) {
            var unused = timer.schedule(this::sendGathered, nanos);
            gathering = true;
        }
    }

    private void sendGathered() {
        List<Integer> known;
        synchronized (lock) {
            beginChange();
            gathering = false;
            known = List.copyOf(queues.keySet());
            changing = false;
        }
        known.forEach(this::sendAll);
    }

    /** Sends a batch, and returns the next one that the calling thread has to send, if any. */
    private @Nullable Batch send(Batch batch) {
        CompletableFuture<Object> reply;
        try {
            CircuitBreaker circuit = runner.circuit(batch.slot());
            batch.sentTo(circuit);
            byte[][] values = PackedRequests.of(settings.time().get(), batch.requestsByGroup(), false);
            byte[][] names = keys.of(batch.requestsByKey());
            reply = runner.run(batch.script(), circuit, names, values, timeoutNanos, batch::written);
        } catch (RuntimeException failure) {
            reply = CompletableFuture.failedFuture(failure);
        } catch (Error failure) { // of the calling thread, which may be that of another request
            reply = CompletableFuture.failedFuture(new StoreException("the request could not be sent", failure));
        }
        var unused = reply.whenComplete((packed, failure) -> {
            complete(batch, packed, failure);
            sendAll(batch.slot());
        });
        synchronized (lock) {
            beginChange();
            BatchQueue queue = queues.get(batch.slot());
            Batch next = queue != null && queue.sent(batch) ? poll(queue, System.nanoTime()) : null;
            changing = false;
            return next;
        }
    }

    private void complete(Batch batch, @Nullable Object packed, @Nullable Throwable failure) {
        List<Answer> answers = List.of();
        Throwable why = failure;
        try {
            answers = packed instanceof byte[] bytes ? Reply.answers(bytes, batch.requestsByGroup()) : answers;
        } catch (RuntimeException unreadable) {
            why = new StoreException("the answer of Redis is unreadable", unreadable);
        }
        synchronized (lock) {
            beginChange();
            BatchQueue queue = queue(batch.slot());
            batches.remove(batch);
            inFlight -= queue.ended(batch, answers, System.nanoTime());
            removeIfIdle(queue);
            changing = false;
        }
        denials.learn(batch, answers);
        if (why != null) {
            fail(batch, why);
            return;
        }
        LateGrants late = new LateGrants(refunds);
        int at = 0;
        for (Batch.Group group : batch.groups()) {
            for (PendingRequest pending : group.requests()) {
                complete(batch, pending, answers.get(at++), late);
            }
        }
        late.refund();
    }

    private BatchQueue queue(int slot) {
        return queues.computeIfAbsent(slot, made -> new BatchQueue(made, denials, roundTrips, costs));
    }

    private void complete(Batch batch, PendingRequest pending, Answer answer, LateGrants late) {
        if (answer.isUndecided()) {
            return; // it is in the queue again
        }
        if (answer.refused()) {
            StoreException refused = new StoreException("Redis refused: " + answer.refusal());
            batch.refused(refused);
            pending.completeExceptionally(refused);
            return;
        }
        if (!pending.complete(new RedisReservation(refunds, pending.requests(), answer))) {
            late.add(pending.requests(), answer); // or abandoned
        }
    }

    private static void fail(Batch batch, Throwable failure) {
        for (Batch.Group group : batch.groups()) {
            for (PendingRequest pending : group.requests()) {
                pending.completeExceptionally(
                        Futures.cause(failure) instanceof StoreException why ? Errors.copy(why) : failure);
            }
        }
    }

    /** Returns the calls in flight and the round trips. */
    StoreStatistics statistics() {
        synchronized (lock) {
            return roundTrips.statistics(inFlight, System.nanoTime());
        }
    }

    private void tick() {
        if (!ticking && !(incomplete.isEmpty() && batches.isEmpty())) {
            var unused = timer.schedule(this::tickNow, tickNanos);
            ticking = true;
        }
    }

    /** Lets other requests be sent though a batch is not answered: on a cluster another server may serve its slot by now. */
    private void abandon(Batch batch) {
        BatchQueue queue = queue(batch.slot());
        inFlight -= queue.abandon(batch);
        removeIfIdle(queue);
    }

    /**
     * Fails the requests whose deadline has passed, or that would be answered after it, and abandons the batches that are not
     * answered in time.
     */
    private void tickNow() {
        long now = System.nanoTime();
        List<PendingRequest> overdue = new ArrayList<>();
        List<Batch> unanswered = new ArrayList<>();
        int calls;
        boolean answering;
        synchronized (lock) {
            beginChange();
            ticking = false;
            for (Batch batch : batches) {
                if (now - batch.sentAt() >= timeoutNanos) {
                    unanswered.add(batch);
                    abandon(batch);
                }
            }
            long lead = roundTrips.leadNanos();
            incomplete.removeIf(request -> request.isDone() || (request.isOverdue(now, lead) && overdue.add(request)));
            calls = inFlight;
            answering = roundTrips.isServerAnswering(now);
            tick();
            changing = false;
        }
        for (PendingRequest pending : overdue) {
            boolean overload = answering && !pending.isSent();
            fail(pending, overload ? StoreException.overload(calls) : new StoreException(settings.tooLate()));
        }
        for (Batch batch : unanswered) {
            batch.unanswered(now);
            sendAll(batch.slot());
        }
    }

    private void fail(PendingRequest pending, StoreException failure) {
        if (pending.isAwaited()) {
            pending.completeExceptionally(failure);
        } else {
            timer.fail(pending, failure);
        }
    }
}
