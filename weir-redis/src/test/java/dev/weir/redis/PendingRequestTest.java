package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The times that a request waits to be sent and for its answer, in milliseconds, with a timeout of 50. */
final class PendingRequestTest {
    private static PendingRequest submitted(long at, long maxWait) {
        Request request = Request.of("limiter", Limits.parse("10/1h"), "key", 1);
        return new PendingRequest(0, List.of(request), maxWait, false, at, 50);
    }

    @Test
    void mayNotWait_timeoutIncludesTheTimeBeforeItIsSent() {
        PendingRequest pending = submitted(1_000, 0);

        assertThat(pending.isOverdue(1_034, 15, true)).isFalse();
        assertThat(pending.isOverdue(1_035, 15, true)).isTrue();
        pending.prepare(1_034);
        pending.sent(1_034);
        assertThat(pending.isOverdue(1_049, 15, true)).isFalse();
        assertThat(pending.isOverdue(1_050, 15, true)).isTrue();
    }

    @Test
    void answered_hasAnotherTimeoutToComplete() {
        PendingRequest pending = submitted(1_000, 0);
        pending.sent(1_000);
        pending.answered(1_049);

        assertThat(pending.isOverdue(1_098, 15, true)).isFalse();
        assertThat(pending.isOverdue(1_099, 15, true)).isTrue();
    }

    @Test
    void mayWait_serverAnswers_waitsForOthersForMaxWait() {
        PendingRequest pending = submitted(1_000, 200);

        assertThat(pending.isOverdue(1_234, 15, true)).isFalse();
        assertThat(pending.isOverdue(1_235, 15, true)).isTrue();
    }

    @Test
    void mayWait_serverDoesNotAnswer_failsAfterTheTimeout() {
        PendingRequest pending = submitted(1_000, 200);

        assertThat(pending.isOverdue(1_049, 15, false)).isFalse();
        assertThat(pending.isOverdue(1_050, 15, false)).isTrue();
    }

    @Test
    void mayWait_timeoutIsForTheAnswer_butNoLongerThanItMayWait() {
        PendingRequest early = submitted(1_000, 200);
        early.sent(1_120);
        assertThat(early.isOverdue(1_169, 15, true)).isFalse();
        assertThat(early.isOverdue(1_170, 15, true)).isTrue();

        PendingRequest late = submitted(1_000, 200);
        late.sent(1_210);
        assertThat(late.isOverdue(1_249, 15, true)).isFalse();
        assertThat(late.isOverdue(1_250, 15, true)).isTrue();
    }

    /** In finer steps, the requests of a burst would differ and could not be decided together. */
    @Test
    void timeInTheQueue_isSubtractedFromMaxWait_inWholeTimeouts() {
        PendingRequest pending = submitted(1_000, 200);
        PendingRequest next = submitted(1_009, 200);
        for (long[] expected : new long[][] {{1_049, 200}, {1_099, 150}, {1_190, 50}, {1_220, 0}, {1_049, 200}}) {
            pending.prepare(expected[0]);
            assertThat(pending.maxWaitNanos()).as("at %d", expected[0]).isEqualTo(expected[1]);
        }
        pending.prepare(1_070);
        next.prepare(1_070);
        assertThat(pending.equalTo(next)).isTrue();
    }

    /** It has left the queue, so it would never be sent if the server answered again before the next tick. */
    @Test
    void givenUp_staysOverdue() {
        PendingRequest pending = submitted(1_000, 200);
        assertThat(pending.isOverdue(1_060, 15, false)).isTrue();
        pending.giveUp();
        assertThat(pending.isOverdue(1_061, 15, true)).isTrue();
    }

    @Test
    void mayWaitForever_isNeverOverdueWhileTheServerAnswers() {
        PendingRequest pending = submitted(1_000, Long.MAX_VALUE);

        assertThat(pending.isOverdue(1L << 60, 15, true)).isFalse();
        pending.prepare(1L << 60);
        pending.sent(1L << 60);
        assertThat(pending.maxWaitNanos()).isGreaterThan(1L << 62);
        assertThat(pending.isOverdue((1L << 60) + 49, 15, true)).isFalse();
        assertThat(pending.isOverdue((1L << 60) + 50, 15, true)).isTrue();
    }
}
