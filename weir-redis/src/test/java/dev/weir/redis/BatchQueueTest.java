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

    private final BatchCost costs = new BatchCost();
    private final RoundTrips roundTrips = new RoundTrips(100 * MILLI);
    private final BatchQueue queue = new BatchQueue(0, new DenialCache(0, new Timer()), roundTrips, costs);
    private long now = System.nanoTime();

    private PendingRequest add(long maxWaitNanos, Request... requests) {
        PendingRequest pending = new PendingRequest(List.of(requests), maxWaitNanos, false, false, Long.MAX_VALUE);
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

    private void roundTrip(long nanos) {
        Batch batch = new Batch(0, List.of(), now - nanos, false);
        batch.sentAlone();
        roundTrips.record(batch, 1, now);
    }

    private static Request request(Limits limits, String key) {
        return Request.of("limiter", limits, key, 1);
    }

    private Batch poll() {
        Batch batch = queue.poll(now, done -> {});
        assertThat(batch == null || queue.sent(batch)).isTrue();
        return batch;
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

    private void answer(Batch batch) {
        queue.ended(batch, answers(batch, true), now);
    }

    private Batch pollAndAnswer() {
        Batch batch = poll();
        answer(batch);
        return batch;
    }

    @Test
    void manyKeys_batchIsCutByItsCost() {
        for (int i = 0; i < 100; i++) {
            put(0, request(TWO, "key " + i));
        }
        assertThat(poll().size()).isEqualTo(16);
        for (int i = 0; i < 100; i++) {
            put(0, request(ONE, "key " + i));
        }
        assertThat(poll().size()).isEqualTo(16);
    }

    @Test
    void equalRequests_costLittle_untilEachIsDecidedAlone() {
        for (int i = 0; i < 5_000; i++) {
            put(0, request(ONE, "key"));
        }
        Batch first = poll();
        assertThat(first.size()).isGreaterThan(1_900);
        queue.ended(first, answers(first, false), now);
        for (int i = 0; i < 100; i++) {
            put(0, request(ONE, "key"));
        }
        assertThat(poll().size()).isLessThanOrEqualTo(32);
    }

    @Test
    void equalRequestsThatMayWait_startSmallAndGrow() {
        List<Integer> sizes = new ArrayList<>();
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 200; i++) {
                put(1, request(ONE, "key"));
            }
            Batch batch = poll();
            sizes.add(batch.size());
            answer(batch);
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

        assertThat(poll().requestsByGroup())
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
        assertThat(poll().requestsByGroup()).containsExactly(List.of(one), List.of(two), List.of(three));
    }

    @Test
    void partOfAJointRequest_isInNoBatchWithOtherRequestsForItsKey() {
        put(1);
        queue.add(new PendingRequest(List.of(request(ONE, "key")), 0, true, false, Long.MAX_VALUE));
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
        Batch three = poll();
        put(2);
        assertThat(poll()).isNull();
        put(1);
        assertThat(poll().size()).isEqualTo(3);
        put(3);
        assertThat(poll()).isNull();
        answer(three);
        assertThat(poll().size()).isEqualTo(3);
    }

    @Test
    void window_fourBatchesAtOnce_thenOneForEachMillisecond() {
        roundTrip(30 * MILLI);
        for (int size : new int[] {1, 1, 2, 4}) {
            put(size);
            assertThat(poll().size()).isEqualTo(size);
        }
        put(100);
        assertThat(poll()).isNull();
        assertThat(queue.opensAfterNanos(now)).isEqualTo(MILLI);
        now += MILLI;
        assertThat(poll()).isNotNull();
    }

    @Test
    void window_serverIsBehind_requestsGatherUntilAnAnswer() {
        roundTrip(2 * MILLI);
        put(4);
        Batch first = poll();
        now += 8 * MILLI;
        put(3);
        assertThat(poll()).isNull();
        assertThat(queue.opensAfterNanos(now)).isEqualTo(-1);
        answer(first);
        assertThat(poll().size()).isEqualTo(3);
    }

    /** They wait for each other on the server, which is a sign that it has more to do than it can. */
    @Test
    void window_fullBatchIsLate_fewerAreInFlight() {
        roundTrip(MILLI);
        putKeys(1_000);
        List<Batch> batches = List.of(poll(), poll(), poll(), poll());
        now += 20 * MILLI;
        batches.forEach(this::answer);
        assertThat(List.of(poll(), poll(), poll())).allMatch(Batch::isFull);
        assertThat(poll()).isNull();
    }

    /** That is a pause, or a network whose delay varies. */
    @Test
    void window_fewRequestsAreLate_isAsBefore() {
        roundTrip(MILLI);
        for (int i = 0; i < 20; i++) {
            List<Batch> batches = new ArrayList<>();
            for (int size : new int[] {1, 1, 2, 4}) {
                put(size);
                batches.add(poll());
            }
            now += 80 * MILLI;
            assertThat(batches).doesNotContainNull();
            batches.forEach(this::answer);
        }
    }

    /** What was sent behind other batches says how long the server is busy, not how long a round trip takes. */
    @Test
    void window_roundTripsBehindOtherBatches_areNotThoseOfTheNetwork() {
        put(1);
        Batch first = poll();
        put(1);
        Batch second = poll();
        put(2);
        Batch third = poll();
        now += 2 * MILLI;
        answer(first);
        now += 20 * MILLI;
        answer(second);
        answer(third);
        assertThat(roundTrips.expectedNanos()).isEqualTo(7 * MILLI);
    }

    /** Three batches are in flight all the time, so none shows that round trips through the network take 12 ms by now. */
    @Test
    void window_behindForASecond_nextBatchIsSentAlone() {
        roundTrip(MILLI);
        putKeys(20_000);
        ArrayDeque<Batch> inFlight = new ArrayDeque<>(List.of(poll(), poll()));
        long began = now;
        for (Batch next = poll(); next != null; next = poll()) {
            inFlight.add(next);
            now += 4 * MILLI;
            answer(inFlight.remove());
        }
        assertThat(now - began).isBetween(1_000 * MILLI, 1_020 * MILLI);
        inFlight.forEach(this::answer);
        Batch alone = poll();
        assertThat(alone.wasSentAlone()).isTrue();
    }

    @Test
    void requestThatWouldBeAnsweredTooLate_isNotSent() {
        roundTrip(2 * MILLI);
        long lead = 27 * MILLI; // the round trip, and a quarter of the timeout
        PendingRequest tooLate = new PendingRequest(List.of(request(ONE, "late")), 0, false, false, now + lead);
        PendingRequest inTime = new PendingRequest(List.of(request(ONE, "in time")), 0, false, false, now + lead + 1);
        queue.add(tooLate);
        queue.add(inTime);
        List<Integer> dropped = new ArrayList<>();
        assertThat(queue.poll(now, dropped::add).requestsByGroup()).containsExactly(List.of(inTime));
        assertThat(dropped).containsExactly(1);
        assertThat(tooLate.isSent()).isFalse();
        assertThat(inTime.isOverdue(now + lead, lead)).as("it was sent").isFalse();
    }

    @Test
    void window_batchAbandoned_opensWithoutAnAnswer() {
        put(3);
        Batch lost = poll();
        now += 50 * MILLI;
        put(1);
        assertThat(poll()).isNull();

        assertThat(queue.abandon(lost)).isEqualTo(3);

        assertThat(poll().size()).isEqualTo(1);
        assertThat(queue.ended(lost, answers(lost, true), now)).as("late").isZero();
        assertThat(queue.isIdle()).isFalse();
    }

    /** The first sender was paused, or has ended. */
    @Test
    void sender_batchAbandonedMeanwhile_losesItsTurn() {
        put(1);
        Batch first = queue.poll(now, done -> {});
        put(1);
        assertThat(queue.isReady(now)).isFalse();

        assertThat(queue.abandon(first)).isEqualTo(1);
        Batch second = queue.poll(now, done -> {});

        assertThat(second).isNotNull();
        assertThat(queue.sent(first)).isFalse();
        assertThat(queue.sent(second)).isTrue();
    }

    @Test
    void ioThread_sendsOnlyAfterItHasWrittenWhatOthersSent() {
        Thread ioThread = Thread.currentThread();
        put(0, request(ONE, "key"));
        answer(poll());
        put(0, request(ONE, "key"));
        Batch sentByAnother = poll();

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
        Batch batch = poll();
        PendingRequest four = add(0, request(ONE, "four"));
        List<Answer> answers = answers(batch, true);
        answers.set(1, Answer.UNDECIDED);
        answers.set(2, Answer.UNDECIDED);

        assertThat(queue.ended(batch, answers, now)).isEqualTo(1);

        assertThat(batch.groups().get(0).first()).isSameAs(one);
        assertThat(poll().requestsByGroup()).containsExactly(List.of(two), List.of(three), List.of(four));
    }
}
