package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.algorithm.Rule.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of a log's general form, which its definition does not have: the number of runs, and the sum of their weights. */
class RunLogTest {
    private static final long TICK = 10_000; // and the window of the logs with many runs

    private static Algorithm log(long permits, long window, long tick) {
        return Algorithms.of(Rule.of(Kind.LOG, "", permits, window, tick, 0).limit());
    }

    /** Reserves 2,500 permits in the tick after 1, and 1,000 in the next one, which have stamps of their own. */
    private static LimitState moreRunsThanAreKept(Algorithm log) {
        LimitState state = LimitState.create(1);
        for (int i = 1; i <= 2_500; i++) {
            log.reserve(state, 1, i, 1);
        }
        for (int i = 1; i <= 1_000; i++) {
            log.reserve(state, 1, TICK + i, 1);
        }
        return state;
    }

    /** The runs of waiting requests have stamps of their own: more than the ticks and 2,048 are rounded to the end of their tick. */
    @Test
    void reserve_moreRunsThanAreKept_countUntilTheEndOfTheirTick() {
        long window = TICK;
        Algorithm log = log(10_000, window, TICK);
        LimitState state = moreRunsThanAreKept(log);
        assertThat(runs(log, state, 1)).isBetween(3_000, 3_100);

        long next = window + 1;
        assertThat(log.remaining(state, next)).isEqualTo(10_000 - 2_500 - 1_000);
        assertThat(log.resetAfter(state, next)).isEqualTo(2 * window + window - next);
        assertThat(runs(log, state, next)).isBetween(2_000, 2_100);
    }

    /** Those that are rounded count longer at the reservations behind them, too. */
    @Test
    void reserve_moreRunsThanAreKept_countUntilTheEndOfTheirTickForLaterReservations() {
        long window = TICK;
        Algorithm log = log(10_000, window, TICK);
        LimitState state = moreRunsThanAreKept(log);
        log.reserve(state, 1, 2 * window + 5, 1);

        long next = window + 1; // when all but the last are seen, and rounded to the ends of their ticks
        assertThat(log.remaining(state, next)).isEqualTo(10_000 - 2_500 - 1_000);
        assertThat(log.earliest(state, next, 2 * window - next, 8_999)).isEqualTo(2 * window - next);
        assertThat(log.earliest(state, next, 2 * window - next, 9_000)).isEqualTo(3 * window - next);
    }

    /** Runs that only a wider window would count must not make the sum of all weights overflow. */
    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void reserve_weightsBeyondALong_oldestAreReduced(long wait) {
        Algorithm wide = log(Long.MAX_VALUE, 100, 1);
        Algorithm narrow = log(Long.MAX_VALUE, 10, 1);
        LimitState state = LimitState.create(0);
        for (int i = 1; i <= 3; i++) {
            wide.tryGrant(state, i, Long.MAX_VALUE / 3);
        }
        assertThat(narrow.adopt(state, wide, 20)).isTrue();
        assertThat(narrow.remaining(state, 20)).isEqualTo(Long.MAX_VALUE);

        narrow.reserve(state, 20, wait, Long.MAX_VALUE - 9);

        assertThat(narrow.remaining(state, 20)).isEqualTo(9);
        assertThat(wide.adopt(state, narrow, 20)).isTrue();
        assertThat(wide.remaining(state, 20)).isZero();
    }

    private static int runs(Algorithm log, LimitState state, long now) {
        int[] runs = {0};
        log.forEachRun(state, now, (stamp, weight, pending) -> runs[0]++);
        return runs[0];
    }
}
