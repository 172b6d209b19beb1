package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which requests a batch has, and when it may be sent. */
final class BatchQueueTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Limits ONE = Limits.parse("10/1h");
    private static final Limits TWO = Limits.parse("10/1h", "100/1d");

    private final BatchQueue queue = new BatchQueue(new DenialCache(0, new Timer()), new BatchCost(), 100 * MILLI);
    private long now = System.nanoTime();

    private PendingRequest add(long maxWaitNanos, Request... requests) {
        PendingRequest pending = new PendingRequest(0, List.of(requests), maxWaitNanos, false, false, Long.MAX_VALUE);
        queue.add(pending);
        return pending;
    }

    private void put(long maxWaitNanos, Request... requests) {
        PendingRequest unused = add(maxWaitNanos, requests);
    }

    private void put(int count) {
        for (int i = 0; i < count; i++) {
            put(0, request(ONE, "key"));
        }
    }

    private void putKeys(int count) {
        for (int i = 0; i < count; i++) {
            put(0, request(ONE, "key " + i));
        }
    }

    /** Sends a request alone, which is answered after some nanoseconds. */
    private void roundTrip(long nanos) {
        put(1);
        Pipeline alone = poll();
        now += nanos;
        answer(alone);
    }

    private static Request request(Limits limits, String key) {
        return Request.of("limiter", limits, key, 1);
    }

    private Pipeline poll() {
        Pipeline pipeline = queue.poll(now);
        if (pipeline != null) {
            queue.sent(pipeline);
        }
        return pipeline;
    }

    private static Batch batch(Pipeline pipeline) {
        assertThat(pipeline.batches()).hasSize(1);
        return pipeline.batches().get(0);
    }

    private Batch pollBatch() {
        return batch(poll());
    }

    private static List<Answer> answers(Batch batch, boolean together) {
        List<Answer> answers = new ArrayList<>();
        byte[] handle = new byte[1];
        for (int i = 0; i < batch.size(); i++) {
            handle = together ? handle : new byte[1];
            answers.add(new Answer(Decision.allowed(ONE.list().get(0), 0, 0, 0, 1), Long.MAX_VALUE, handle, ""));
        }
        return answers;
    }

    private void answer(Pipeline pipeline) {
        answer(pipeline, true);
    }

    private void answer(Pipeline pipeline, boolean together) {
        pipeline.batches().forEach(batch -> queue.ended(pipeline, batch, answers(batch, together), now));
    }

    private Batch pollAndAnswer() {
        Pipeline pipeline = poll();
        answer(pipeline);
        return batch(pipeline);
    }

    @Test
    void manyKeys_batchIsCutByItsCost() {
        for (int i = 0; i < 100; i++) {
            put(0, request(TWO, "key " + i));
        }
        assertThat(pollBatch().size()).isEqualTo(16);
        for (int i = 0; i < 100; i++) {
            put(0, request(ONE, "key " + i));
        }
        assertThat(pollBatch().size()).isEqualTo(16);
    }

    @Test
    void equalRequests_costLittle_untilEachIsDecidedAlone() {
        for (int i = 0; i < 5_000; i++) {
            put(0, request(ONE, "key"));
        }
        Pipeline first = poll();
        assertThat(batch(first).size()).isGreaterThan(1_900);
        answer(first, false);
        for (int i = 0; i < 100; i++) {
            put(0, request(ONE, "key"));
        }
        assertThat(pollBatch().size()).isLessThanOrEqualTo(32);
    }

    @Test
    void equalRequestsThatMayWait_startSmallAndGrow() {
        List<Integer> sizes = new ArrayList<>();
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 200; i++) {
                put(1, request(ONE, "key"));
            }
            sizes.add(pollAndAnswer().size());
        }
        assertThat(sizes.get(0)).isEqualTo(5);
        assertThat(sizes.get(7)).isBetween(30, 53);
    }

    @Test
    void manyThatWaitForOneKey_leaveRoomForOtherKeys() {
        for (int i = 0; i < 200; i++) {
            put(1, request(ONE, "key"));
        }
        PendingRequest other = add(0, request(ONE, "other"));

        assertThat(pollBatch().requestsByGroup())
                .anySatisfy(group -> assertThat(group).isEqualTo(List.of(other)));
    }

    @Test
    void jointAndSingleRequests_ofOneKey_keepTheirOrder() {
        PendingRequest joint = add(0, request(ONE, "a"), request(ONE, "b"));
        PendingRequest single = add(0, request(ONE, "a"));
        PendingRequest later = add(0, request(ONE, "a"), request(ONE, "c"));
        PendingRequest other = add(0, request(ONE, "d"), request(ONE, "e"));

        assertThat(pollAndAnswer().requestsByGroup()).containsExactly(List.of(joint), List.of(other));
        assertThat(pollAndAnswer().requestsByGroup()).containsExactly(List.of(single));
        assertThat(pollAndAnswer().requestsByGroup()).containsExactly(List.of(later));
        assertThat(poll()).isNull();
    }

    @Test
    void jointRequests_thatShareAKey_areGroupsInOrder() {
        PendingRequest one = add(0, request(ONE, "tenant"), request(ONE, "x"));
        PendingRequest two = add(0, request(ONE, "tenant"), request(ONE, "y"));
        PendingRequest three = add(0, request(ONE, "tenant"), request(ONE, "x"));
        assertThat(pollBatch().requestsByGroup()).containsExactly(List.of(one), List.of(two), List.of(three));
    }

    @Test
    void partOfAJointRequest_isInNoBatchWithOtherRequestsForItsKey() {
        put(1);
        queue.add(new PendingRequest(0, List.of(request(ONE, "key")), 0, true, false, Long.MAX_VALUE));
        put(1);
        List<Boolean> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Batch batch = pollAndAnswer();
            assertThat(batch.size()).isEqualTo(1);
            parts.add(batch.groups().get(0).first().isPart());
        }
        assertThat(parts).containsExactly(false, true, false);
    }

    @Test
    void otherLimitsOfAKey_waitForTheNextBatch() {
        PendingRequest one = add(0, request(ONE, "key"));
        PendingRequest two = add(0, request(TWO, "key"));
        PendingRequest three = add(0, request(ONE, "key"));
        assertThat(pollAndAnswer().requestsByGroup()).containsExactly(List.of(one));
        assertThat(pollAndAnswer().requestsByGroup()).containsExactly(List.of(two));
        assertThat(pollAndAnswer().requestsByGroup()).containsExactly(List.of(three));
    }

    @Test
    void window_fewerWaitThanAreInFlight_theyGather() {
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
    void window_fourBatchesAtOnce_thenOneForEachMillisecond() {
        roundTrip(30 * MILLI);
        for (int size : new int[] {1, 1, 2, 4}) {
            put(size);
            assertThat(pollBatch().size()).isEqualTo(size);
        }
        put(100);
        assertThat(poll()).isNull();
        assertThat(queue.gather(now)).isEqualTo(MILLI);
        now += MILLI;
        assertThat(poll()).isNotNull();
    }

    /** Waiting for more saves nothing then. */
    @Test
    void window_requestsFillAPipeline_itIsSentBeforeTheMillisecondIsOver() {
        roundTrip(30 * MILLI);
        for (int i = 0; i < 4; i++) {
            putKeys(32);
            assertThat(poll().isFull()).isTrue();
        }
        putKeys(30);
        put(100);
        assertThat(poll()).isNull();
        putKeys(32);
        assertThat(poll().isFull()).isTrue();
    }

    @Test
    void window_serverIsBehind_requestsGatherUntilAnAnswer() {
        roundTrip(2 * MILLI);
        put(4);
        Pipeline first = poll();
        now += 8 * MILLI;
        put(3);
        assertThat(poll()).isNull();
        assertThat(queue.gather(now)).isEqualTo(-1);
        answer(first);
        assertThat(pollBatch().size()).isEqualTo(3);
    }

    /** They wait for each other on the server, which is a sign that it has more to do than it can. */
    @Test
    void window_fullBatchIsLate_fewerAreInFlight() {
        roundTrip(MILLI);
        putKeys(1_000);
        List<Pipeline> four = List.of(poll(), poll(), poll(), poll());
        now += 20 * MILLI;
        four.forEach(this::answer);
        assertThat(List.of(poll(), poll(), poll())).allMatch(Pipeline::isFull);
        assertThat(poll()).isNull();
    }

    /** That is a pause, or a network whose delay varies. */
    @Test
    void window_fewRequestsAreLate_isAsBefore() {
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

    /** What was sent behind other batches says how long the server is busy, not how long a round trip takes. */
    @Test
    void window_roundTripsBehindOtherBatches_areNotThoseOfTheNetwork() {
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
        now += 7 * MILLI; // the round trip, and what may wait on the server
        put(1);
        assertThat(poll()).isNotNull();
        answer(behind);
    }

    /** Three batches are in flight all the time, so none shows that round trips through the network take 12 ms by now. */
    @Test
    void window_behindForASecond_nextBatchIsSentAlone() {
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
    void requestThatWouldBeAnsweredTooLate_isNotSent() {
        roundTrip(2 * MILLI);
        long lead = 27 * MILLI; // the round trip, and a quarter of the timeout
        PendingRequest tooLate = new PendingRequest(0, List.of(request(ONE, "late")), 0, false, false, now + lead);
        PendingRequest inTime =
                new PendingRequest(0, List.of(request(ONE, "in time")), 0, false, false, now + lead + 1);
        queue.add(tooLate);
        queue.add(inTime);
        assertThat(queue.size()).isEqualTo(2);
        assertThat(pollBatch().requestsByGroup()).containsExactly(List.of(inTime));
        assertThat(queue.size()).isEqualTo(1);
        assertThat(tooLate.isSent()).isFalse();
        assertThat(inTime.isOverdue(now + lead, lead)).as("it was sent").isFalse();
    }

    @Test
    void window_batchAbandoned_opensWithoutAnAnswer() {
        put(3);
        Pipeline lost = poll();
        now += 50 * MILLI;
        put(1);
        assertThat(poll()).isNull();

        now += 50 * MILLI;
        assertThat(queue.abandon(now)).isEqualTo(lost.batches());

        assertThat(queue.size()).isEqualTo(1);
        assertThat(pollBatch().size()).isEqualTo(1);
        answer(lost); // late
        assertThat(queue.size()).isEqualTo(1);
    }

    /** The first sender was paused, or has ended. */
    @Test
    void sender_batchAbandonedMeanwhile_losesItsTurn() {
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
    void slotsOfACluster_haveBatchesOfTheirOwn_inOnePipeline() {
        List<PendingRequest> pending = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pending.add(new PendingRequest(i % 3, List.of(request(ONE, "key " + i)), 0, false, false, Long.MAX_VALUE));
            queue.add(pending.get(i));
        }
        Pipeline pipeline = poll();
        assertThat(pipeline.batches()).extracting(Batch::slot).containsExactly(0, 1, 2);
        assertThat(pipeline.batches().get(1).requestsByGroup())
                .containsExactly(List.of(pending.get(1)), List.of(pending.get(4)));

        Batch one = pipeline.batches().get(0);
        queue.ended(pipeline, one, answers(one, true), now);

        assertThat(queue.size()).isEqualTo(4);
        assertThat(pipeline.isEnded()).isFalse();
        now += 100 * MILLI;
        assertThat(queue.abandon(now)).isEqualTo(pipeline.batches().subList(1, 3));
        assertThat(queue.size()).isZero();
    }

    /** A node has as much to do whether its requests are for one slot or for many. */
    @Test
    void manySlots_pipelineIsCutByItsCost() {
        for (int i = 0; i < 100; i++) {
            queue.add(new PendingRequest(i, List.of(request(ONE, "key " + i)), 0, false, false, Long.MAX_VALUE));
        }
        assertThat(poll().batches()).hasSize(32);
    }

    @Test
    void ioThread_sendsOnlyAfterItHasWrittenWhatOthersSent() {
        Thread ioThread = Thread.currentThread();
        put(0, request(ONE, "key"));
        answer(poll());
        put(0, request(ONE, "key"));
        Batch sentByAnother = pollBatch();

        assertThat(queue.sendsInOrderOn(ioThread)).isFalse();
        assertThat(queue.sendsInOrderOn(new Thread())).isTrue();
        sentByAnother.written();
        assertThat(queue.sendsInOrderOn(ioThread)).isTrue();
    }

    @Test
    void undecidedRequests_waitAgainBeforeOthers() {
        PendingRequest one = add(0, request(ONE, "one"));
        PendingRequest two = add(0, request(ONE, "two"));
        PendingRequest three = add(0, request(ONE, "three"));
        Pipeline pipeline = poll();
        Batch batch = batch(pipeline);
        PendingRequest four = add(0, request(ONE, "four"));
        List<Answer> answers = answers(batch, true);
        answers.set(1, Answer.UNDECIDED);
        answers.set(2, Answer.UNDECIDED);

        queue.ended(pipeline, batch, answers, now);

        assertThat(queue.size()).isEqualTo(3);
        assertThat(batch.groups().get(0).first()).isSameAs(one);
        assertThat(pollBatch().requestsByGroup()).containsExactly(List.of(two), List.of(three), List.of(four));
    }
}
