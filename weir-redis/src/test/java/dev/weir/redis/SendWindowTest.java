package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The times at which pipelines may be sent, and the threads that send them. */
final class SendWindowTest extends QueueTest {
    @Test
    void fewerWaitingThanInFlight_gather() {
        put(3);
        Pipeline three = poll();
        put(2);
        assertThat(poll()).isNull();
        put(1);
        assertThat(pollBatch().size()).isEqualTo(3);
        put(3);
        assertThat(poll()).isNull();
        answer(three);
        assertThat(pollBatch().size()).isEqualTo(3);
    }

    @Test
    void fourBatchesAtOnce_thenOnePerMillisecond() {
        roundTrip(30 * MILLI);
        for (int size : new int[] {1, 1, 2, 4}) {
            put(size);
            assertThat(pollBatch().size()).isEqualTo(size);
        }
        put(100);
        assertThat(poll()).isNull();
        now += MILLI / 4;
        assertThat(poll()).isNull();
        assertThat(queue.gather(now)).isEqualTo(MILLI - MILLI / 4);
        assertThat(queue.gather(now)).as("another thread sends them").isEqualTo(-1);
        now += MILLI - MILLI / 4;
        assertThat(poll()).isNotNull();
        put(1);
        assertThat(queue.gather(now)).isEqualTo(MILLI);
    }

    /** Gathering more requests would save nothing. */
    @Test
    void requestsFillAPipeline_isSentBeforeTheMillisecondEnds() {
        roundTrip(30 * MILLI);
        for (int i = 0; i < 4; i++) {
            putKeys(32);
            assertThat(poll().load()).isEqualTo(1);
        }
        putKeys(30);
        put(100);
        assertThat(poll()).isNull();
        putKeys(32);
        assertThat(poll().load()).isEqualTo(1);
    }

    @Test
    void eightPipelinesInFlight_nextOneGathers() {
        for (int i = 0; i < 4; i++) {
            putKeys(32);
            answer(poll());
        }
        putKeys(9 * 32);
        for (int i = 0; i < 8; i++) {
            assertThat(poll()).isNotNull();
        }
        assertThat(poll()).isNull();
        now += MILLI;
        assertThat(poll()).isNotNull();
    }

    @Test
    void serverIsBehind_requestsGatherUntilAnAnswer() {
        roundTrip(2 * MILLI);
        put(4);
        Pipeline first = poll();
        now += 8 * MILLI;
        put(3);
        assertThat(poll()).isNull();
        assertThat(queue.gather(now)).isEqualTo(-1);
        answer(first);
        assertThat(pollBatch().size()).isEqualTo(3);
        put(1);
        assertThat(queue.gather(now)).isEqualTo(MILLI);
    }

    /** Full batches that are late wait for each other on the server, so the server is overloaded. */
    @Test
    void fullBatchIsLate_fewerAreInFlight() {
        roundTrip(MILLI);
        putKeys(1_000);
        List<Pipeline> four = List.of(poll(), poll(), poll(), poll());
        now += 20 * MILLI;
        four.forEach(this::answer);
        assertThat(List.of(poll(), poll(), poll())).allMatch(each -> each.load() == 1);
        assertThat(poll()).isNull();
    }

    /** A few late requests are caused by a pause or by a network whose delay varies. */
    @Test
    void fewRequestsAreLate_windowIsUnchanged() {
        roundTrip(MILLI);
        for (int i = 0; i < 20; i++) {
            List<Pipeline> four = new ArrayList<>();
            for (int size : new int[] {1, 1, 2, 4}) {
                put(size);
                four.add(poll());
            }
            now += 80 * MILLI;
            assertThat(four).doesNotContainNull();
            four.forEach(this::answer);
        }
    }

    /** Batches sent behind others measure how long the server is busy, not how long a round trip takes. */
    @Test
    void roundTripsBehindOtherBatches_areIgnored() {
        put(1);
        Pipeline first = poll();
        put(1);
        Pipeline second = poll();
        put(2);
        Pipeline third = poll();
        now += 2 * MILLI;
        answer(first);
        now += 20 * MILLI;
        answer(second);
        answer(third);
        put(1);
        Pipeline behind = poll();
        now += 7 * MILLI; // the round trip, and the time that requests may wait on the server
        put(1);
        assertThat(poll()).isNotNull();
        answer(behind);
    }

    /** Three batches are always in flight, so none shows that round trips through the network take 12 ms now. */
    @Test
    void busyForASecond_nextBatchIsSentAlone() {
        roundTrip(MILLI);
        putKeys(20_000);
        ArrayDeque<Pipeline> inFlight = new ArrayDeque<>(List.of(poll(), poll()));
        long began = now;
        for (Pipeline next = poll(); next != null; next = poll()) {
            inFlight.add(next);
            now += 4 * MILLI;
            answer(inFlight.remove());
        }
        assertThat(now - began).isBetween(1_000 * MILLI, 1_020 * MILLI);
        inFlight.forEach(this::answer);
        Pipeline alone = poll();
        assertThat(alone.wasSentAlone()).isTrue();
    }

    @Test
    void requestTooLateForAnAnswer_isNotSent() {
        roundTrip(2 * MILLI);
        long lead = 27 * MILLI; // the round trip, and a quarter of the timeout
        PendingRequest tooLate = new PendingRequest(0, List.of(request(ONE, "late")), 0, false, now, lead);
        PendingRequest inTime = new PendingRequest(0, List.of(request(ONE, "in time")), 0, false, now, lead + 1);
        queue.add(tooLate);
        queue.add(inTime);
        assertThat(queue.size()).isEqualTo(2);
        assertThat(pollBatch().groups()).containsExactly(List.of(inTime));
        assertThat(queue.size()).isEqualTo(1);
        assertThat(tooLate.isSent()).isFalse();
        assertThat(inTime.isSent()).isTrue();
        assertThat(inTime.isOverdue(now + lead, lead, true)).as("it was sent").isFalse();
    }

    @Test
    void batchAbandoned_nextIsSent() {
        put(3);
        Pipeline lost = poll();
        now += 50 * MILLI;
        put(1);
        assertThat(poll()).isNull();
        assertThat(queue.abandon(now)).isEmpty();

        now += 50 * MILLI;
        assertThat(queue.abandon(now)).isEqualTo(lost.batches());

        assertThat(queue.size()).isEqualTo(1);
        assertThat(pollBatch().size()).isEqualTo(1);
        answer(lost); // late
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void fullBatchesAbandoned_oneIsSent_moreAfterItsAnswer() {
        putKeys(1_000);
        for (int i = 0; i < 4; i++) {
            assertThat(poll()).isNotNull();
        }
        now += 100 * MILLI;
        assertThat(queue.abandon(now)).hasSize(4);

        Pipeline only = poll();
        assertThat(poll()).isNull();
        answer(only);
        assertThat(poll()).isNotNull();
        assertThat(poll()).isNotNull();
        assertThat(poll()).isNull();
    }

    /** The sender ended with an Error after the last batch, which was answered. */
    @Test
    void sender_pipelineAnswered_nextMaySend() {
        put(1);
        answer(queue.poll(now));
        put(1);
        assertThat(queue.isReady(now)).isTrue();
    }

    /** The first sender was paused or has ended. */
    @Test
    void sender_batchAbandoned_nextMaySend() {
        put(1);
        Pipeline first = queue.poll(now);
        put(1);
        assertThat(queue.isReady(now)).isFalse();

        now += 100 * MILLI;
        assertThat(queue.abandon(now)).isEqualTo(first.batches());
        Pipeline second = queue.poll(now);

        assertThat(second).isNotNull();
        put(1);
        queue.sent(first);
        assertThat(queue.isReady(now)).isFalse();
        queue.sent(second);
        assertThat(queue.isReady(now)).isTrue();
    }

    @Test
    void ioThread_othersNotYetWritten_doesNotSend() {
        Thread ioThread = Thread.currentThread();
        put(0, request(ONE, "key"));
        answer(poll());
        allWritten = false;

        assertThat(queue.sendsInOrderOn(ioThread)).isFalse();
        assertThat(queue.sendsInOrderOn(new Thread())).isTrue();
        allWritten = true;
        assertThat(queue.sendsInOrderOn(ioThread)).isTrue();
    }
}
