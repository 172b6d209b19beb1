package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The requests that a batch contains. */
final class BatchQueueTest extends QueueTest {
    @Test
    void manyKeys_costBoundsTheBatch() {
        for (int i = 0; i < 100; i++) {
            put(0, request(TWO, "key " + i));
        }
        assertThat(pollBatch().size()).isEqualTo(16);
        for (int i = 0; i < 100; i++) {
            put(0, request(ONE, "key " + i));
        }
        assertThat(pollBatch().size()).isEqualTo(21); // ten keys under both kinds of limits, and one more under two
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
        assertThat(pollBatch().size()).isEqualTo(16);
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
        assertThat(sizes.get(0)).isEqualTo(14);
        assertThat(sizes.get(7)).isBetween(30, 53);
    }

    @Test
    void manyRequestsForOneKey_leaveRoomForOtherKeys() {
        for (int i = 0; i < 200; i++) {
            put(1, request(ONE, "key"));
        }
        PendingRequest other = add(0, request(ONE, "other"));

        assertThat(pollBatch().groups()).anySatisfy(group -> assertThat(group).isEqualTo(List.of(other)));
    }

    @Test
    void jointAndSingleRequests_ofOneKey_keepTheirOrder() {
        PendingRequest joint = add(0, request(ONE, "a"), request(ONE, "b"));
        PendingRequest single = add(0, request(ONE, "a"));
        PendingRequest later = add(0, request(ONE, "a"), request(ONE, "c"));
        PendingRequest other = add(0, request(ONE, "d"), request(ONE, "e"));

        assertThat(pollBatch().groups())
                .containsExactly(List.of(joint), List.of(single), List.of(later), List.of(other));
    }

    @Test
    void jointRequests_thatShareAKey_areGroupsInOrder() {
        PendingRequest one = add(0, request(ONE, "tenant"), request(ONE, "x"));
        PendingRequest two = add(0, request(ONE, "tenant"), request(ONE, "y"));
        PendingRequest three = add(0, request(ONE, "tenant"), request(ONE, "x"));
        assertThat(pollBatch().groups()).containsExactly(List.of(one), List.of(two), List.of(three));
    }

    @Test
    void otherLimitsOfAKey_areGroupsInOrder() {
        PendingRequest one = add(0, request(ONE, "key"));
        PendingRequest two = add(0, request(TWO, "key"));
        PendingRequest three = add(0, request(ONE, "key"));
        assertThat(pollBatch().groups()).containsExactly(List.of(one), List.of(two), List.of(three));
    }

    @Test
    void slotsOfACluster_haveOwnBatches_inOnePipeline() {
        List<PendingRequest> pending = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pending.add(new PendingRequest(i % 3, List.of(request(ONE, "key " + i)), 0, false, now, 3_600_000 * MILLI));
            queue.add(pending.get(i));
        }
        Pipeline pipeline = poll();
        assertThat(pipeline.batches()).extracting(Batch::slot).containsExactly(0, 1, 2);
        assertThat(pipeline.batches().get(1).groups())
                .containsExactly(List.of(pending.get(1)), List.of(pending.get(4)));

        Batch one = pipeline.batches().get(0);
        queue.ended(pipeline, one, answers(one, true), now);

        assertThat(queue.size()).isEqualTo(4);
        assertThat(pipeline.isEnded()).isFalse();
        now += 100 * MILLI;
        assertThat(queue.abandon(now)).isEqualTo(pipeline.batches().subList(1, 3));
        assertThat(queue.size()).isZero();
    }

    @Test
    void unread_isInFlight_andNothingIsReadForAWhile() {
        put(1);
        assertThat(queue.unread(now, 0)).isNull();
        Pipeline first = poll();
        assertThat(queue.unread(now + 24 * MILLI, 25 * MILLI)).isNull();
        assertThat(queue.unread(now + 25 * MILLI, 25 * MILLI)).isEqualTo(batch(first));

        queue.read(now + 25 * MILLI);
        assertThat(queue.unread(now + 49 * MILLI, 25 * MILLI)).isNull();
        assertThat(queue.unread(now + 50 * MILLI, 25 * MILLI)).isEqualTo(batch(first));

        put(1);
        Pipeline second = poll();
        now += 50 * MILLI;
        answer(first);
        assertThat(queue.unread(now + 24 * MILLI, 25 * MILLI)).isNull();
        assertThat(queue.unread(now + 25 * MILLI, 25 * MILLI)).isEqualTo(batch(second));
    }

    /** The load of a node does not depend on the number of slots that its requests are for. */
    @Test
    void manySlots_costBoundsThePipeline() {
        for (int i = 0; i < 100; i++) {
            queue.add(new PendingRequest(i, List.of(request(ONE, "key " + i)), 0, false, now, 3_600_000 * MILLI));
        }
        assertThat(poll().batches()).hasSize(32);
    }

    @Test
    void undecidedRequests_waitBeforeOthers() {
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
        assertThat(batch.requests().get(0)).isSameAs(one);
        assertThat(pollBatch().groups()).containsExactly(List.of(two), List.of(three), List.of(four));
    }

    @Test
    void manySlots_requestThatDoesNotFit_waitsForTheNextPipeline() {
        Limits three = Limits.parse("10/1h", "100/1d", "1000/2d");
        for (int i = 0; i < 20; i++) {
            queue.add(new PendingRequest(i, List.of(request(three, "key " + i)), 0, false, now, 3_600_000 * MILLI));
        }
        assertThat(poll().batches()).hasSize(10);
        assertThat(queue.size()).isEqualTo(20);
        assertThat(poll().batches()).hasSize(10);
    }

    /** Later requests for the key must not wait for ever. */
    @Test
    void mayBeLeft_answeredOrAbandoned_laterRequestsAreSent() {
        for (int i = 0; i < 60; i++) {
            put(1, request(TWO, "key"));
        }
        Pipeline first = poll();
        now += MILLI;
        assertThat(poll()).isNull();
        answer(first);
        Pipeline second = poll();
        now += 100 * MILLI;
        assertThat(poll()).isNull();
        assertThat(queue.abandon(now)).isEqualTo(second.batches());
        assertThat(poll()).isNotNull();
    }

    @Test
    void isServerAnswering_onlyWithinATimeoutOfAnAnswer() {
        assertThat(queue.isServerAnswering(now)).isFalse();
        put(1);
        Pipeline failed = poll();
        queue.ended(failed, batch(failed), List.of(), now);
        assertThat(queue.isServerAnswering(now)).isFalse();
        roundTrip(MILLI);
        assertThat(queue.isServerAnswering(now)).isTrue();
        assertThat(queue.isServerAnswering(now + 100 * MILLI - 1)).isTrue();
        assertThat(queue.isServerAnswering(now + 100 * MILLI)).isFalse();
    }

    @Test
    void moveOverdue_eachIsMovedOnce_completeOnesAreNot() {
        PendingRequest late = new PendingRequest(0, List.of(request(ONE, "late")), 0, false, now, 50 * MILLI);
        PendingRequest done = new PendingRequest(0, List.of(request(ONE, "done")), 0, false, now, 50 * MILLI);
        PendingRequest later = add(0, request(ONE, "later"));
        queue.add(late);
        queue.add(done);
        assertThat(done.cancel(false)).isTrue();

        List<PendingRequest> overdue = new ArrayList<>();
        now += 50 * MILLI;
        assertThat(queue.moveOverdue(now, overdue)).isEqualTo(2);
        assertThat(queue.moveOverdue(now, overdue)).isEqualTo(1);
        assertThat(overdue).containsExactly(late);
        assertThat(queue.moveOverdue(now + 3_600_000 * MILLI, overdue)).isEqualTo(1);
        assertThat(overdue).containsExactly(late, later);
        assertThat(queue.isIdle()).isTrue();
    }

    /** Else a message would tell of too many calls in flight: 0. */
    @Test
    void moveOverdue_countsRequestsThatWereTooLateToBeSent() {
        queue.add(new PendingRequest(0, List.of(request(ONE, "late")), 0, false, now, 50 * MILLI));
        now += 50 * MILLI;
        assertThat(poll()).isNull();
        assertThat(queue.size()).isZero();
        assertThat(queue.moveOverdue(now, new ArrayList<>())).isEqualTo(1);
    }

    @Test
    void isIdle_onlyWithoutDeadlinesAndBatchesInFlight() {
        assertThat(queue.isIdle()).isTrue();
        PendingRequest pending = add(0, request(ONE, "key"));
        assertThat(queue.isIdle()).isFalse();
        Pipeline pipeline = poll();
        assertThat(pending.cancel(false)).isTrue();
        assertThat(queue.moveOverdue(now, new ArrayList<>())).isZero();
        assertThat(queue.isIdle()).isFalse();
        answer(pipeline);
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void replacement_isEmpty_butKeepsDeadlines() {
        PendingRequest pending = add(0, request(ONE, "key"));
        BatchQueue replacement = queue.replacement();
        assertThat(replacement.size()).isZero();
        List<PendingRequest> overdue = new ArrayList<>();
        assertThat(replacement.moveOverdue(now + 3_600_000 * MILLI, overdue)).isEqualTo(1);
        assertThat(overdue).containsExactly(pending);
    }

    @Test
    void pipelineOfTwoSlots_lastAnswerGivesTheTime() {
        answerTwoSlots(true);
        assertSentUntilBefore(45 * MILLI); // 20 ms and a quarter of the timeout
    }

    @Test
    void pipelineOfTwoSlots_oneFailed_givesNoTime() {
        answerTwoSlots(false);
        assertSentUntilBefore(25 * MILLI);
    }

    /** Sends batches for two slots; the first is answered at once or fails, the second is answered after 20 ms. */
    private void answerTwoSlots(boolean answered) {
        for (int slot = 0; slot < 2; slot++) {
            queue.add(new PendingRequest(slot, List.of(request(ONE, "of " + slot)), 0, false, now, 3_600_000 * MILLI));
        }
        Pipeline pipeline = poll();
        Batch first = pipeline.batches().get(0);
        Batch second = pipeline.batches().get(1);
        queue.ended(pipeline, first, answered ? answers(first, true) : List.of(), now);
        now += 20 * MILLI;
        queue.ended(pipeline, second, answers(second, true), now);
    }

    private void assertSentUntilBefore(long leadNanos) {
        PendingRequest tooLate = new PendingRequest(0, List.of(request(ONE, "late")), 0, false, now, leadNanos);
        PendingRequest inTime = new PendingRequest(0, List.of(request(ONE, "in time")), 0, false, now, leadNanos + 1);
        queue.add(tooLate);
        queue.add(inTime);
        assertThat(pollBatch().groups()).containsExactly(List.of(inTime));
    }
}
