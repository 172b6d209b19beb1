package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {
    private static final long SPAN = 60_000_000_000L;

    @Test
    void in_span_areInOrderAndWithin() {
        long[] instants = Arrivals.in(SPAN, 10_000);

        assertThat(instants).hasSize(10_000).isSorted();
        assertThat(instants[0]).isNotNegative();
        assertThat(instants[9_999]).isLessThan(SPAN);
        assertThat(instants).isEqualTo(Arrivals.in(SPAN, 10_000));
    }

    /** Of as many arrivals as ticks, 1 - 1/e of the ticks are hit in a Poisson process; all of them, if evenly spaced. */
    @Test
    void in_asManyAsTicks_hitTicksAsPoissonProcess() {
        int ticks = 100_000;

        long hit = Arrays.stream(Arrivals.in(SPAN, ticks))
                .map(instant -> instant / (SPAN / ticks))
                .distinct()
                .count();

        assertThat(hit / (double) ticks).isBetween(0.627, 0.637);
    }
}
