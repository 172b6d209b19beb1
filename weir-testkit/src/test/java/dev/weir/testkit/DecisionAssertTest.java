package dev.weir.testkit;

import static dev.weir.testkit.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each assertion passes when it should, and fails with the decision in its message. */
class DecisionAssertTest {
    private static final Decision ALLOWED =
            Decision.allowed(Limit.parse("5/10s"), 3, Duration.ofMillis(2), Duration.ofSeconds(9));
    private static final Decision DENIED =
            Decision.denied(Limit.parse("5/10s"), 0, Duration.ofSeconds(6), Duration.ofSeconds(6));
    private static final Decision NEVER =
            Decision.denied(Limit.parse("5/10s"), 5, Duration.ofNanos(Long.MAX_VALUE), Duration.ZERO);

    @Test
    void assertions_thatHold_pass() {
        assertThat(ALLOWED)
                .isNotDegraded()
                .isAllowed()
                .hasRemaining(3)
                .hasWaitTime(Duration.ofMillis(2))
                .hasResetAfter(Duration.ofSeconds(9));
        assertThat(DENIED).isLimitedBy("5/10s").isDenied().hasRetryAfter(Duration.ofSeconds(6));
        assertThat(NEVER).isNever().isDenied();
        assertThat(DENIED.asBlocked().asDegraded()).isDegraded().isBlocked();
    }

    @Test
    void assertions_thatDoNotHold_failWithTheDecision() {
        fails(ALLOWED, DecisionAssert::isDenied, "to be denied");
        fails(DENIED, DecisionAssert::isAllowed, "to be allowed");
        fails(DENIED, DecisionAssert::isNever, "never to be allowed");
        fails(DENIED, DecisionAssert::isBlocked, "to be blocked");
        fails(DENIED, DecisionAssert::isDegraded, "to be degraded");
        fails(DENIED.asDegraded(), DecisionAssert::isNotDegraded, "not to be degraded");
        fails(DENIED, decision -> decision.hasRemaining(1), "to have remaining 1");
        fails(DENIED, decision -> decision.hasRetryAfter(Duration.ofSeconds(5)), "to have retry-after PT5S");
        fails(ALLOWED, decision -> decision.hasWaitTime(Duration.ZERO), "to have wait time PT0S");
        fails(ALLOWED, decision -> decision.hasResetAfter(Duration.ZERO), "to have reset-after PT0S");
        fails(DENIED, decision -> decision.isLimitedBy("gcra 1/1s"), "to be limited by gcra 1/1s");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat((Decision) null).isAllowed());
    }

    private static void fails(Decision decision, Consumer<DecisionAssert> assertion, String expectation) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertion.accept(assertThat(decision)))
                .withMessage("Expected decision <%s> %s", decision, expectation);
    }
}
