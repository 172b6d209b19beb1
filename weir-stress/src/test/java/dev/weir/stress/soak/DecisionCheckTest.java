package dev.weir.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DecisionCheckTest {
    private static final Limit LIMIT = Limit.parse("5/100ns resolution=10ns");
    private static final List<Request> REQUESTS = List.of(Request.of("test", Limits.of(LIMIT), "key", 2));
    private static final Decision ALLOWED = Decision.allowed(LIMIT, 3, 0, 110, 1_003);
    private static final Decision DENIED = Decision.denied(LIMIT, 1, 40, 90, 1_003);

    private static void assertError(String error, Decision decision, int taken) {
        assertThat(DecisionCheck.error(decision, taken, REQUESTS)).isEqualTo(error);
    }

    @Test
    void error_rightDecision_isNull() {
        assertError(null, ALLOWED, 2);
        assertError(null, DENIED, 0);
    }

    @Test
    void error_otherLimit_isFound() {
        Decision other = Decision.allowed(Limit.parse("5/1s"), 3, 0, 110, 1_003);

        assertError("the call was not given the limit that it names", other, 2);
    }

    @Test
    void error_degradedOrBlocked_isFound() {
        assertError("degraded, though the store is not full", ALLOWED.asDegraded(), 2);
        assertError("blocked, though no key is blocked", DENIED.asBlocked(), 0);
    }

    @Test
    void error_oneMoreRemaining_isFound() {
        Decision decision = Decision.allowed(LIMIT, 4, 0, 110, 1_003);

        assertError("more remaining than the limit holds", decision, 2);
    }

    @Test
    void error_deniedWithoutRetryAfter_isFound() {
        Decision decision = Decision.denied(LIMIT, 1, 0, 90, 1_003);

        assertError("allowed with a retry-after, or denied without", decision, 0);
    }

    @Test
    void error_statusTooMany_isFound() {
        Status status = ALLOWED.statuses().get(0);

        assertError("not one status for each limit", ALLOWED.withStatuses(List.of(status, status)), 2);
    }

    @Test
    void timeError_timeOfTheCall_isNull() {
        assertThat(DecisionCheck.timeError(ALLOWED, 1_003, 1_003)).isNull();
        assertThat(DecisionCheck.timeError(DENIED, 1_003, 1_003)).isNull();
    }

    @Test
    void timeError_timeOutsideTheCall_isFound() {
        assertThat(DecisionCheck.timeError(ALLOWED, 1_004, 1_010)).contains("decided at 1003");
        assertThat(DecisionCheck.timeError(ALLOWED, 990, 1_002)).contains("decided at 1003");
    }

    @Test
    void timeError_grantThatExpiresBeforeItsWindow_isFound() {
        Decision decision = Decision.allowed(LIMIT, 3, 0, 99, 1_003);

        assertThat(DecisionCheck.timeError(decision, 1_003, 1_003)).isNotNull();
    }

    @Test
    void stamp_isTheEndOfTheTick_orOfTheWait() {
        assertThat(DecisionCheck.stamp(ALLOWED, LIMIT)).isEqualTo(1_010);
        assertThat(DecisionCheck.stamp(Decision.allowed(LIMIT, 0, 0, 110, 1_010), LIMIT))
                .isEqualTo(1_010);
        assertThat(DecisionCheck.stamp(Decision.allowed(LIMIT, 0, 4, 110, 1_003), LIMIT))
                .isEqualTo(1_007);
    }
}
