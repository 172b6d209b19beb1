package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A queue of requests for one server, with a clock that tests set. */
abstract class QueueTest {
    static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    static final Limits ONE = Limits.parse("10/1h");
    static final Limits TWO = Limits.parse("10/1h", "100/1d");

    boolean allWritten = true;
    final BatchQueue queue = new BatchQueue(new BatchCost(), 100 * MILLI, () -> allWritten);
    long now;

    PendingRequest add(long maxWaitNanos, Request... requests) {
        PendingRequest pending = new PendingRequest(0, List.of(requests), maxWaitNanos, false, now, 3_600_000 * MILLI);
        queue.add(pending);
        return pending;
    }

    void put(long maxWaitNanos, Request... requests) {
        PendingRequest unused = add(maxWaitNanos, requests);
    }

    void put(int count) {
        for (int i = 0; i < count; i++) {
            put(0, request(ONE, "key"));
        }
    }

    void putKeys(int count) {
        for (int i = 0; i < count; i++) {
            put(0, request(ONE, "key " + i));
        }
    }

    /** Sends one request alone and answers it after the given time. */
    void roundTrip(long nanos) {
        put(1);
        Pipeline alone = poll();
        now += nanos;
        answer(alone);
    }

    static Request request(Limits limits, String key) {
        return Request.of("limiter", limits, key, 1);
    }

    Pipeline poll() {
        Pipeline pipeline = queue.poll(now);
        if (pipeline != null) {
            queue.sent(pipeline);
        }
        return pipeline;
    }

    static Batch batch(Pipeline pipeline) {
        assertThat(pipeline.batches()).hasSize(1);
        return pipeline.batches().get(0);
    }

    Batch pollBatch() {
        return batch(poll());
    }

    static List<Answer> answers(Batch batch, boolean together) {
        List<Answer> answers = new ArrayList<>();
        byte[] handle = new byte[1];
        for (int i = 0; i < batch.size(); i++) {
            handle = together ? handle : new byte[1];
            answers.add(new Answer(Decision.allowed(ONE.list().get(0), 0, 0, 0, 1), Long.MAX_VALUE, handle, ""));
        }
        return answers;
    }

    void answer(Pipeline pipeline) {
        answer(pipeline, true);
    }

    void answer(Pipeline pipeline, boolean together) {
        pipeline.batches().forEach(batch -> queue.ended(pipeline, batch, answers(batch, together), now));
    }

    Batch pollAndAnswer() {
        Pipeline pipeline = poll();
        answer(pipeline);
        return batch(pipeline);
    }
}
