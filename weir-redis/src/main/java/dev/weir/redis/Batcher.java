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

    private final ScriptRunner runner;
    private final Keys keys;
    private final DenialCache denials;
    private final RedisReservation.Refunds refunds;
    private final Timer timer;
    private final ScriptSettings settings;
    private final long timeoutNanos;

    private final Object lock = new Object();

    // guarded by the lock, and so are the queues
    private final RoundTrips roundTrips = new RoundTrips();
    private final BatchCost costs = new BatchCost();
    private final Map<Integer, BatchQueue> queues = new HashMap<>(); // by slot; those that are idle are removed
    private final LinkedHashSet<Batch> batches = new LinkedHashSet<>(); // in flight
    private int inFlight; // requests that wait or whose batch is in flight
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
    }

    /**
     * Decides requests, all or none, in one script with others.
     *
     * @param requests the requests; on a cluster for keys of one slot
     * @param part whether they are a part of a larger joint request
     */
    PendingRequest decideAsync(List<Request> requests, long maxWaitNanos, boolean part) {
        return submit(new PendingRequest(requests, maxWaitNanos, part, false, System.nanoTime() + timeoutNanos));
    }

    /** Decides requests as {@link #decideAsync} does, and waits for the answer. */
    StoreReservation decide(List<Request> requests, long maxWaitNanos) {
        return Futures.join(
                submit(new PendingRequest(requests, maxWaitNanos, false, true, System.nanoTime() + timeoutNanos)));
    }

    private PendingRequest submit(PendingRequest pending) {
        List<Request> requests = pending.requests();
        int slot = runner.isCluster() ? Keys.slot(keys.of(requests)) : ANY_SLOT;
        StoreException failure = enqueue(pending, slot);
        if (failure == null) {
            sendAll(slot);
        } else {
            pending.completeExceptionally(failure);
        }
        return pending;
    }

    /** Appends a request to its queue, or returns why it fails at once. */
    private @Nullable StoreException enqueue(PendingRequest pending, int slot) {
        StoreException failure = runner.circuit(slot).failure();
        if (failure != null) {
            return failure;
        }
        synchronized (lock) {
            if (inFlight >= settings.maxInFlight()) {
                return StoreException.overload(inFlight);
            }
            inFlight++;
            queues.computeIfAbsent(slot, made -> new BatchQueue(made, denials, roundTrips, costs))
                    .add(pending);
            return null;
        }
    }

    /**
     * Sends the batches of a queue that may be sent now, unless another thread is about to: they are sent in order. After a few of
     * them the timer goes on, so that no caller sends the requests of others for long.
     */
    private void sendAll(int slot) {
        BatchQueue queue;
        synchronized (lock) {
            queue = queues.get(slot);
            if (queue == null || !queue.startSending()) {
                return;
            }
            if (!queue.sendsInOrderOn(Thread.currentThread())) {
                queue.endSending();
                var unused = timer.schedule(() -> sendAll(slot), 0);
                return;
            }
        }
        for (int sent = 0; sent < MAX_SENT_BY_CALLER; sent++) {
            Batch batch;
            synchronized (lock) {
                batch = poll(queue, System.nanoTime());
                if (batch == null) {
                    queue.endSending();
                    removeIfIdle(queue, slot);
                    return;
                }
            }
            send(queue, batch);
        }
        synchronized (lock) {
            queue.endSending();
        }
        var unused = timer.schedule(() -> sendAll(slot), 0);
    }

    /** Returns the next batch of a queue, if any; else makes sure that its requests are sent later. */
    private @Nullable Batch poll(BatchQueue queue, long now) {
        Batch batch = queue.poll(now, done -> inFlight -= done);
        if (batch != null) {
            batches.add(batch);
        } else {
            gatherUntilOpen(queue, now);
        }
        tick();
        return batch;
    }

    private void removeIfIdle(BatchQueue queue, int slot) {
        if (queue.isIdle()) {
            queues.remove(slot);
        }
    }

    private void gatherUntilOpen(BatchQueue queue, long now) {
        long nanos = queue.opensAfterNanos(now);
        if (nanos >= 0 && !gathering) {
            gathering = true;
            var unused = timer.schedule(this::sendGathered, nanos);
        }
    }

    private void sendGathered() {
        List<Integer> known;
        synchronized (lock) {
            gathering = false;
            known = List.copyOf(queues.keySet());
        }
        known.forEach(this::sendAll);
    }

    private void send(BatchQueue queue, Batch batch) {
        CompletableFuture<Object> reply;
        try {
            byte[][] values = PackedRequests.of(settings.time().get(), batch.requestsByGroup(), false);
            reply = runner.run(batch.script(), batch.slot(), keys.of(batch.requestsByKey()), values, batch::written);
        } catch (RuntimeException failure) {
            reply = CompletableFuture.failedFuture(failure);
        }
        boolean atOnce = reply.isDone(); // then sendAll goes on
        var unused = reply.whenComplete((packed, failure) -> {
            complete(queue, batch, packed, failure);
            if (!atOnce) {
                sendAll(batch.slot());
            }
        });
    }

    private void complete(BatchQueue queue, Batch batch, @Nullable Object packed, @Nullable Throwable failure) {
        List<Answer> answers = List.of();
        Throwable why = failure;
        try {
            answers = packed instanceof byte[] bytes ? Reply.answers(bytes, batch.requestsByGroup()) : answers;
        } catch (RuntimeException unreadable) {
            why = new StoreException("the answer of Redis is unreadable", unreadable);
        }
        synchronized (lock) {
            batches.remove(batch);
            inFlight -= batch.size() - queue.ended(batch, answers, System.nanoTime());
            removeIfIdle(queue, batch.slot());
        }
        denials.learn(batch, answers);
        if (why != null) {
            fail(batch, why);
            return;
        }
        int at = 0;
        for (Batch.Group group : batch.groups()) {
            for (PendingRequest pending : group.requests()) {
                complete(pending, answers.get(at++));
            }
        }
    }

    private void complete(PendingRequest pending, Answer answer) {
        if (answer.isUndecided()) {
            return; // it is in the queue again
        }
        if (answer.refused()) {
            pending.completeExceptionally(new StoreException("Redis refused: " + answer.refusal()));
            return;
        }
        RedisReservation reservation = new RedisReservation(refunds, pending.requests(), answer);
        if (!pending.complete(reservation)) {
            reservation.cancel(0); // abandoned, or too late
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
            return roundTrips.statistics(System.nanoTime()).withCallsInFlight(inFlight);
        }
    }

    private void tick() {
        if (!ticking && !(batches.isEmpty() && queues.isEmpty())) {
            ticking = true;
            var unused = timer.schedule(this::tickNow, timeoutNanos / TICKS_PER_TIMEOUT);
        }
    }

    /** Fails the requests whose deadline has passed. */
    private void tickNow() {
        long now = System.nanoTime();
        List<PendingRequest> overdue = new ArrayList<>();
        List<Batch> unanswered = new ArrayList<>();
        synchronized (lock) {
            ticking = false;
            for (Batch batch : batches) {
                if (now - batch.sentAt() >= timeoutNanos) {
                    unanswered.add(batch);
                }
                for (Batch.Group group : batch.groups()) {
                    for (PendingRequest pending : group.requests()) {
                        if (pending.isOverdue(now) && !pending.isDone()) {
                            overdue.add(pending);
                        }
                    }
                }
            }
            queues.values().forEach(queue -> queue.forEachOverdue(now, overdue::add));
            tick();
        }
        unanswered.forEach(batch -> runner.circuit(batch.slot()).unanswered(batch.sentAt(), now));
        for (PendingRequest pending : overdue) {
            StoreException tooLate = new StoreException(settings.tooLate());
            if (pending.isAwaited()) {
                pending.completeExceptionally(tooLate);
            } else {
                timer.fail(pending, tooLate);
            }
        }
    }
}
