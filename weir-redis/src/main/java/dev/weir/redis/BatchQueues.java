package dev.weir.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The queues of a {@link Batcher}: one for each server, and one for each key that waits for its slot to move, so that requests for
 * other keys do not wait for it. Guarded by the lock of the batcher.
 */
final class BatchQueues {
    private final long timeoutNanos;
    private final BatchCost costs = new BatchCost();
    private final Map<Object, BatchQueue> queues = new HashMap<>(); // by circuit or key; few

    BatchQueues(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }

    /** Returns the queue for a request: that of its key if it waits for its slot to move, else that of its server. */
    BatchQueue of(PendingRequest pending, CircuitBreaker server) {
        BatchQueue own = queues.get(pending.firstKey());
        return own != null && own.isMoving() ? own : of(server, server);
    }

    /** Returns the queue for a request that waits for its slot to move. */
    BatchQueue ofMoving(PendingRequest pending, CircuitBreaker server) {
        BatchQueue own = of(pending.firstKey(), server);
        own.move();
        return own;
    }

    private BatchQueue of(Object key, CircuitBreaker server) {
        BatchQueue known = queues.get(key);
        if (known != null) {
            return known;
        }
        queues.entrySet().removeIf(each -> each.getValue().isIdle() && !isServing(each.getKey()));
        BatchQueue made = new BatchQueue(costs, timeoutNanos, server::isAllWritten);
        queues.put(key, made);
        return made;
    }

    private static boolean isServing(Object key) {
        return key instanceof CircuitBreaker server && !server.isRetired();
    }

    /** Returns the number of requests that wait, or whose batch is in flight and not abandoned. */
    int size() {
        int sum = 0;
        for (BatchQueue queue : queues.values()) {
            sum += queue.size();
        }
        return sum;
    }

    /** Whether a queue has not been replaced. */
    boolean contains(BatchQueue queue) {
        return queues.containsValue(queue);
    }

    /** Returns the queues that are not idle; others may follow. */
    List<BatchQueue> busy() {
        return queues.values().stream().filter(queue -> !queue.isIdle()).toList();
    }

    /** Replaces all queues by empty ones, which keep the deadlines of their requests. */
    void replaceAll() {
        for (Map.Entry<Object, BatchQueue> each : queues.entrySet()) { // no lambda: linking it needs stack
            each.setValue(each.getValue().replacement());
        }
    }
}
