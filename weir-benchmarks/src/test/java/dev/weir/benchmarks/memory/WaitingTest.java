package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls of each scenario have the outcome that it expects; without JMH, which {@link ForkTest} has. */
final class WaitingTest {
    private static final int CALLS = 3_000;

    private final Waiting benchmark = new Waiting();
    private final Waiting.WithRoom room = new Waiting.WithRoom();
    private final Waiting.Full full = new Waiting.Full();
    private final Outcomes outcomes = new Outcomes();

    @BeforeEach
    void fill() {
        room.fill();
        full.fill();
    }

    private void assertExpected(Scenario scenario, Runnable call) {
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        assertThat(scenario.expectation.holds(outcomes.allowed, outcomes.denied))
                .as("%s: %d allowed, %d denied", scenario, outcomes.allowed, outcomes.denied)
                .isTrue();
    }

    @Test
    void admission_withRoom_isAllowed() {
        assertExpected(Scenario.WAITING_ADMISSION, () -> benchmark.admission(room, outcomes));
    }

    @Test
    void denial_full_isDenied() {
        assertExpected(Scenario.WAITING_DENIAL, () -> benchmark.denial(full, outcomes));
    }

    @Test
    void peek_full_isDenied() {
        assertExpected(Scenario.WAITING_PEEK, () -> benchmark.peek(full, outcomes));
    }

    @Test
    void reservationAndCancel_full_isPending() {
        assertExpected(Scenario.WAITING_RESERVATION, () -> benchmark.reservationAndCancel(full, outcomes));
    }
}
