package dev.weir.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checker finds decisions that are wrong, and no others. */
final class KnownKeysTest {
    private static final long WINDOW = 1_000_000_000;
    private static final long LATENCY = 1_000_000;

    private final KnownKeys known = new KnownKeys(2, 2, WINDOW);

    private void decided(int key, boolean allowed, long sent) {
        known.decided(key, allowed, sent, sent + LATENCY);
    }

    @Test
    void decided_rightDecisions_areNotWrong() {
        decided(0, true, 0);
        decided(0, true, WINDOW / 2);
        decided(0, false, WINDOW - 1);
        decided(1, true, WINDOW - 1);
        decided(0, true, WINDOW + LATENCY);
        decided(0, false, WINDOW + 2 * LATENCY);

        assertThat(known.decisions()).isEqualTo(6);
        assertThat(known.wrong()).isZero();
    }

    @Test
    void decided_oneTooMany_isWrong() {
        decided(0, true, 0);
        decided(0, true, WINDOW / 2);
        decided(0, true, WINDOW - 2 * LATENCY);

        assertThat(known.wrong()).isEqualTo(1);
    }

    @Test
    void decided_denialWithRoom_isWrong() {
        decided(0, true, 0);
        decided(0, false, WINDOW / 2);
        assertThat(known.wrong()).isEqualTo(1);

        decided(0, true, WINDOW / 2);
        decided(0, false, WINDOW + 5 * LATENCY); // the first has expired
        assertThat(known.wrong()).isEqualTo(2);
    }
}
