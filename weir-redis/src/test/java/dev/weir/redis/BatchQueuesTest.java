package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The queue of each request, and the lifetime of queues. */
final class BatchQueuesTest {
    private static final Limits LIMITS = Limits.parse("10/1h");
    private static final long TIMEOUT = 100_000_000;

    private final ScheduledExecutorService probes = Executors.newSingleThreadScheduledExecutor();
    private final BatchQueues queues = new BatchQueues(TIMEOUT);
    private final CircuitBreaker server = newCircuit();
    private final long now = 0;

    private CircuitBreaker newCircuit() {
        return new CircuitBreaker(probes, CompletableFuture::new, new EventNotifier(List.of()), new Timer(), TIMEOUT);
    }

    @AfterEach
    void stop() {
        probes.shutdownNow();
    }

    private PendingRequest request(String key) {
        return new PendingRequest(0, List.of(Request.of("test", LIMITS, key, 1)), 0, false, now, TIMEOUT);
    }

    /** Sends a request, and returns its pipeline. */
    private Pipeline send(BatchQueue queue, PendingRequest pending) {
        queue.add(pending);
        return queue.poll(now);
    }

    private void answer(BatchQueue queue, Pipeline pipeline) {
        Decision decision = Decision.denied(LIMITS.list().get(0), 0, 0, 0, 0);
        Batch batch = pipeline.batches().get(0);
        queue.ended(pipeline, batch, List.of(new Answer(decision, 0, new byte[0], "")), now);
    }

    private void passDeadlines(BatchQueue queue) {
        var unused = queue.moveOverdue(now + TIMEOUT, new ArrayList<>());
    }

    @Test
    void of_eachServerHasItsQueue() {
        BatchQueue queue = queues.of(request("one"), server);
        BatchQueue other = queues.of(request("one"), newCircuit());
        assertThat(queues.of(request("two"), server)).isSameAs(queue).isNotSameAs(other);
        assertThat(queues.busy()).isEmpty();
        queue.add(request("one"));
        queue.add(request("two"));
        assertThat(queues.busy()).containsExactly(queue);
        other.add(request("three"));
        assertThat(queues.busy()).containsExactlyInAnyOrder(queue, other);
        assertThat(queues.size()).isEqualTo(3);
    }

    @Test
    void of_keyWaitsForItsSlot_hasItsOwnQueue_untilAnAnswer() {
        BatchQueue queue = queues.of(request("other"), server);
        BatchQueue own = queues.ofMoving(request("key"), server);

        assertThat(queues.of(request("key"), server)).isSameAs(own).isNotSameAs(queue);
        assertThat(queues.of(request("other"), server)).isSameAs(queue);
        answer(own, send(own, request("key")));
        assertThat(queues.of(request("key"), server)).isSameAs(queue);
        assertThat(queues.ofMoving(request("key"), server)).isSameAs(own);
        assertThat(queues.of(request("key"), server)).isSameAs(own);
    }

    @Test
    void of_serverIsRetired_itsQueueIsRemovedWhenIdle() {
        BatchQueue queue = queues.of(request("key"), server);
        Pipeline pipeline = send(queue, request("key"));
        server.retire();

        BatchQueue second = queues.of(request("key"), newCircuit());
        assertThat(queues.contains(queue)).isTrue();
        answer(queue, pipeline);
        passDeadlines(queue);
        BatchQueue third = queues.of(request("key"), newCircuit());
        assertThat(queues.contains(second)).isTrue();
        assertThat(queues.contains(third)).isTrue();
        assertThat(queues.contains(queue)).isFalse();
    }

    @Test
    void replaceAll_queuesAreEmpty_butKeepDeadlines() {
        PendingRequest pending = request("key");
        BatchQueue queue = queues.of(pending, server);
        queue.add(pending);
        queues.replaceAll();

        assertThat(queues.contains(queue)).isFalse();
        assertThat(queues.size()).isZero();
        BatchQueue replacement = queues.of(pending, server);
        List<PendingRequest> overdue = new ArrayList<>();
        assertThat(replacement.moveOverdue(now + TIMEOUT, overdue)).isEqualTo(1);
        assertThat(overdue).containsExactly(pending);
    }
}
