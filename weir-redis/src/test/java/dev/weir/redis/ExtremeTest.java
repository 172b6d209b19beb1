package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The least value of the present period and the one before. */
final class ExtremeTest {
    private static final long PERIOD = 1_000_000_000_000L; // longer than a test runs

    private final Extreme extreme = new Extreme(PERIOD);

    @Test
    void noValue_isZero() {
        assertThat(extreme.get()).isZero();
    }

    @Test
    void value_countsInItsPeriodAndTheNext() {
        extreme.record(3, 0);
        extreme.record(5, 1);
        assertThat(extreme.get()).isEqualTo(3);
        extreme.record(7, PERIOD);
        assertThat(extreme.get()).isEqualTo(3);
        extreme.turn(2 * PERIOD);
        assertThat(extreme.get()).isEqualTo(7);
        extreme.turn(3 * PERIOD);
        assertThat(extreme.get()).isZero();
    }

    @Test
    void value_periodsWithoutCalls_count() {
        extreme.record(3, 0);
        extreme.turn(2 * PERIOD);
        assertThat(extreme.get()).isZero();

        extreme.record(5, 2 * PERIOD);
        extreme.record(7, 9 * PERIOD);
        assertThat(extreme.get()).isEqualTo(7);
        extreme.turn(10 * PERIOD);
        assertThat(extreme.get()).isEqualTo(7);
    }
}
