package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The time of the figures while the system's clock is set and the machine sleeps. */
final class LiveClockTest {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private long system = 1_700_000_000_250L;
    private long timer = -5;
    private final LiveClock clock = new LiveClock(() -> system, () -> timer);

    private void pass(long millis) {
        system += millis;
        timer += millis * NANOS_PER_MILLI;
    }

    @Test
    void millis_timePasses_isThatOfTheSystem() {
        pass(1_500);

        assertThat(clock.millis()).isEqualTo(1_700_000_001_750L);
        assertThat(clock.millisToNextSecond()).isEqualTo(250);
    }

    @Test
    void millis_machineSlept_followsByWholeSeconds() {
        system += 3_600_400;
        assertThat(clock.millis()).isEqualTo(1_700_003_600_250L);

        pass(1_000);
        assertThat(clock.millis()).isEqualTo(1_700_003_601_250L);
    }

    @Test
    void millis_systemIsSetBack_goesOn() {
        pass(2_000);
        system -= 60_000;
        assertThat(clock.millis()).isEqualTo(1_700_000_002_250L);

        pass(1_000);
        assertThat(clock.millis()).isEqualTo(1_700_000_003_250L);
    }
}
