package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decoding of replies, see request.lua and decide.lua. Times are microseconds in replies, nanoseconds in decisions. */
final class ReplyTest {
    private static final Limits ONE = Limits.parse("10/1h");
    private static final Limits TWO = Limits.parse("10/1h", "20/1d");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private static JointRequest joint(Limits limits, long... permits) {
        List<Request> requests = new ArrayList<>();
        for (long each : permits) {
            requests.add(Request.of("limiter", limits, "key " + requests.size(), each));
        }
        return JointRequest.of(requests, 0);
    }

    private ReplyTest put(int length, long... numbers) {
        for (long number : numbers) {
            bytes.write(ByteBuffer.allocate(Long.BYTES).putLong(number).array(), Long.BYTES - length, length);
        }
        return this;
    }

    private ReplyTest entry(int kind, int count) {
        return put(1, kind).put(Integer.BYTES, count);
    }

    private List<Answer> answers(JointRequest... group) {
        return Reply.answers(bytes.toByteArray(), List.of(List.of(group)));
    }

    private static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(Status::remaining).toList();
    }

    @Test
    void denied_equalRequests_haveTheSameAnswer() {
        entry(0, 2).put(7, 3).put(8, 40).put(7, 50, 1_000);

        assertThat(answers(joint(ONE, 5), joint(ONE, 5))).hasSize(2).allSatisfy(answer -> {
            assertThat(answer.decision()).isEqualTo(Decision.denied(ONE.list().get(0), 3, 40_000, 50_000, 1_000_000));
            assertThat(answer.handle()).isEmpty();
            assertThat(answer.cacheableNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(answer.isRefused() || answer.isUndecided()).isFalse();
        });
    }

    @Test
    void denied_never_isNever() {
        entry(0, 1).put(7, 10).put(8, -1).put(7, 0, 1_000);

        assertThat(answers(joint(ONE, 11)).get(0).decision().never()).isTrue();
    }

    @Test
    void allowed_equalRequests_remainingFallsByThePermitsOfEach() {
        entry(1, 3)
                .put(7, 1_000, 8, 50)
                .put(1, 2, 7, 7)
                .entry(0, 1)
                .put(7, 1)
                .put(8, 40)
                .put(7, 50, 1_000);

        List<Answer> answers = answers(joint(ONE, 2), joint(ONE, 2), joint(ONE, 2), joint(ONE, 5));

        assertThat(answers).extracting(answer -> answer.decision().remaining()).containsExactly(8L, 6L, 4L, 1L);
        assertThat(answers.get(0).decision())
                .isEqualTo(Decision.allowed(ONE.list().get(0), 8, 0, 50_000, 1_000_000));
        assertThat(answers.get(2).handle())
                .containsExactly(7, 7)
                .isSameAs(answers.get(0).handle());
        assertThat(answers.get(3).handle()).isEmpty();
    }

    @Test
    void allowed_severalLimitsAndKeys_reportsTheFewestRemaining() {
        entry(1, 2).put(7, 1_000);
        put(7, 9, 50).put(1, 1, 1).put(7, 18, 70).put(1, 1, 2); // of the first key
        put(7, 5, 60).put(1, 1, 3).put(7, 6, 80).put(1, 1, 4);

        List<Answer> answers = answers(joint(TWO, 1, 1), joint(TWO, 1, 1));

        Decision first = answers.get(0).decision();
        assertThat(first.limit()).isEqualTo(TWO.list().get(0));
        assertThat(first.remaining()).isEqualTo(5);
        assertThat(first.resetAfterNanos()).isEqualTo(60_000);
        assertThat(remaining(first)).containsExactly(9L, 18L, 5L, 6L);
        assertThat(first.statuses()).extracting(Status::request).containsExactly(0, 0, 1, 1);
        assertThat(answers.get(0).handle()).containsExactly(1, 2, 3, 4);
        Decision second = answers.get(1).decision();
        assertThat(second.remaining()).isEqualTo(4);
        assertThat(remaining(second)).containsExactly(8L, 17L, 4L, 5L);
        assertThat(second.statuses())
                .extracting(Status::resetAfterNanos)
                .containsExactly(50_000L, 70_000L, 60_000L, 80_000L);
    }

    @Test
    void any_allowedLater_hasItsWait() {
        entry(2, 1).put(1, 1).put(7, 0).put(8, 40).put(7, 1_000).put(2, 1).put(1, 9);
        put(8, -1, 0, 50);

        Answer answer = answers(joint(ONE, 1)).get(0);

        assertThat(answer.decision().allowed()).isTrue();
        assertThat(answer.decision().waitNanos()).isEqualTo(40_000);
        assertThat(answer.decision().retryAfterNanos()).isZero();
        assertThat(answer.decision().remaining()).isEqualTo(Long.MAX_VALUE);
        assertThat(answer.decision().blocked()).isFalse();
        assertThat(answer.handle()).containsExactly(9);
        assertThat(answer.cacheableNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void any_deniedWhileBlocked_isCacheableUntilTheBlockEnds() {
        entry(2, 1).put(1, 2).put(7, 0).put(8, 900).put(7, 1_000).put(2, 0).put(8, 700);
        put(8, 0, 700, 50).put(8, 0, 900, 60);

        Answer answer = answers(joint(TWO, 1)).get(0);

        assertThat(answer.decision().allowed()).isFalse();
        assertThat(answer.decision().blocked()).isTrue();
        assertThat(answer.decision().waitNanos()).isZero();
        assertThat(answer.decision().retryAfterNanos()).isEqualTo(900_000);
        assertThat(answer.decision().limit())
                .as("the limit with the latest fit")
                .isEqualTo(TWO.list().get(1));
        assertThat(answer.decision().resetAfterNanos()).isEqualTo(60_000);
        assertThat(answer.decision().statuses())
                .extracting(Status::retryAfterNanos)
                .containsExactly(700_000L, 900_000L);
        assertThat(answer.cacheableNanos()).isEqualTo(700_000);
    }

    @Test
    void any_allowedAfterABlock_isNotBlocked() {
        entry(2, 1)
                .put(1, 3)
                .put(7, 0)
                .put(8, 900)
                .put(7, 1_000)
                .put(2, 1)
                .put(1, 9)
                .put(8, 700)
                .put(8, 0, 0, 50);
        entry(1, 1).put(7, 1_000, 8, 50).put(1, 1, 7);

        List<Answer> answers = answers(joint(ONE, 1), joint(ONE, 2));

        assertThat(answers).extracting(answer -> answer.decision().allowed()).containsExactly(true, true);
        assertThat(answers).extracting(answer -> answer.decision().blocked()).containsExactly(false, false);
        assertThat(answers).extracting(Answer::cacheableNanos).containsExactly(700_000L, Long.MAX_VALUE);
        assertThat(answers.get(1).decision().waitNanos()).isZero();
    }

    @Test
    void any_severalEntries_eachHasItsOwnStatuses() {
        for (long remaining : new long[] {3, 7}) {
            entry(2, 1).put(1, 1).put(7, 0).put(8, 0).put(7, 1_000).put(2, 0).put(8, remaining, 0, 50);
        }

        assertThat(answers(joint(ONE, 1), joint(ONE, 2)))
                .extracting(answer -> answer.decision().remaining())
                .containsExactly(3L, 7L);
    }

    @Test
    void undecided_othersAreAnswered() {
        entry(1, 1)
                .put(7, 1_000, 8, 50)
                .put(1, 1, 7)
                .entry(8, 2)
                .entry(0, 1)
                .put(7, 1)
                .put(8, 40)
                .put(7, 50, 1_000);

        assertThat(answers(joint(ONE, 1), joint(ONE, 2), joint(ONE, 3), joint(ONE, 9)))
                .extracting(Answer::isUndecided)
                .containsExactly(false, true, true, false);
    }

    @Test
    void groupFails_othersAreAnswered() {
        byte[] why = "ERR \u20ac".getBytes(StandardCharsets.UTF_8);
        entry(9, 0).put(2, why.length);
        bytes.writeBytes(why);
        entry(0, 1).put(7, 1).put(8, 40).put(7, 50, 1_000);

        List<Answer> answers = Reply.answers(
                bytes.toByteArray(), List.of(List.of(joint(ONE, 1), joint(ONE, 2)), List.of(joint(ONE, 9))));

        assertThat(answers).extracting(Answer::refusal).containsExactly("ERR \u20ac", "ERR \u20ac", "");
        assertThat(answers.get(0).decision().degraded()).isTrue();
        assertThat(answers.get(2).decision().retryAfterNanos()).isEqualTo(40_000);
    }

    /** Numbers of 7 bytes have no sign. */
    @Test
    void numbers_largest_areRead() {
        long most = (1L << 53) - 1;
        entry(1, 1).put(7, most, most, 0xFFFF_FFFFL).put(1, 0);

        Decision decision = answers(joint(ONE, 1)).get(0).decision();

        assertThat(decision.remaining()).isEqualTo(most);
        assertThat(decision.resetAfterNanos()).isEqualTo(0xFFFF_FFFFL * 1_000);
    }
}
