package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two forms of a log contain the same after the same requests. */
class CompactLogTest {
    private static final int CASES = (int) Math.min(2_000, Long.getLong("weir.traces", 10_000) / 5);

    @Test
    void grantsAtOnce_anyTrace_asTheGeneralForm() {
        int compact = 0;
        for (long seed = 0; seed < CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long tick = new long[] {1, 7, 1_000_000, 3_000_000_000L}[random.nextInt(4)];
            long window = tick * (1 + random.nextInt(random.nextBoolean() ? 20 : 100_000));
            long permits = 1L + random.nextInt(random.nextBoolean() ? 20 : 3_000);
            Limit limit = Limit.slidingLog(permits, Duration.ofNanos(window)).resolution(Duration.ofNanos(tick));
            Algorithm log = Algorithms.of(limit);
            LimitState state = LimitState.create(0);
            LimitState general = LimitState.create(0);
            long now = 0;
            for (int step = 0; step < 1_000; step++) {
                now += random.nextInt(5) == 0 ? random.nextLong(window) : random.nextLong(2 * tick);
                long wanted = 1 + random.nextLong(random.nextInt(4) == 0 ? permits : 2);
                boolean fits = log.earliest(general, now, 0, wanted) == 0;
                if (fits) {
                    log.reserve(general, now, 0, wanted).accept(0); // which needs the general form
                    assertThat(general.more).isInstanceOf(RunLog.class);
                }
                long remaining = fits ? log.remaining(general, now) : Algorithm.DENIED;
                assertThat(log.tryGrant(state, now, wanted)).isEqualTo(remaining);
                assertThat(log.remaining(state, now)).isEqualTo(log.remaining(general, now));
                assertThat(log.resetAfter(state, now)).isEqualTo(log.resetAfter(general, now));
                assertThat(log.earliest(state, now, 0, wanted)).isEqualTo(log.earliest(general, now, 0, wanted));
                compact += state.more instanceof RunLog ? 0 : 1;
            }
        }
        assertThat(compact).isGreaterThan(CASES * 250);
    }

    /** With many keys, each array that a decision touches is one more wait for memory. */
    @Test
    void tryGrant_steadyLog_changesTheArrayOnceForEachWord() {
        Algorithm log = Algorithms.of(Limit.slidingLog(100, Duration.ofSeconds(18))); // 18,000 ticks: 4 permits a word
        LimitState state = LimitState.create(0);
        long now = grant(log, state, 0, 40, 1_000_000_000);
        int changes = 0;
        for (int i = 0; i < 400; i++) {
            long[] before = ((long[]) state.more).clone();
            now += 1_000_000_000;
            assertThat(log.tryGrant(state, now, 1)).isEqualTo(100 - 18);
            changes += Arrays.equals(before, (long[]) state.more) ? 0 : 1;
        }
        assertThat(changes).isEqualTo(400 / 4);
    }

    @ParameterizedTest
    @CsvSource({"PT1S, 19", "PT1M, 13", "PT5M, 10", "PT1H, 7"})
    void tryGrant_permitsOfThreeWordsAndTheNewest_needNoArray(Duration window, int permits) {
        Algorithm log = Algorithms.of(Limit.slidingLog(100, window));
        LimitState state = LimitState.create(0);
        long apart = window.toNanos() / (permits + 1);
        long now = grant(log, state, 0, permits, apart);
        assertThat(state.more).isNull();

        grant(log, state, now, 1, apart);
        assertThat(state.more).isInstanceOf(long[].class);
    }

    @Test
    void tryGrant_fewerPermitsThanBefore_doesNotReadTheArray() {
        Algorithm log = Algorithms.of(Limit.slidingLog(100, Duration.ofSeconds(18)));
        LimitState state = LimitState.create(0);
        long now = grant(log, state, 0, 20, 1_000_000_000);
        now = grant(log, state, now, 20, 2_000_000_000);
        assertThat(state.more).isInstanceOf(long[].class);
        state.more = new long[0]; // which cannot be read

        for (int i = 0; i < 100; i++) {
            now += 2_000_000_000;
            assertThat(log.tryGrant(state, now, 1)).isEqualTo(100 - 9);
        }
    }

    @Test
    void refund_afterTheWindow_staysCompact() {
        Algorithm log = Algorithms.of(Limit.slidingLog(9, Duration.ofSeconds(12)));
        LimitState state = LimitState.create(0);
        LongConsumer late = log.reserve(state, 0, 0, 3);
        long now = grant(log, state, 0, 13, 1_000_000_000);

        assertThat(log.remaining(state, now)).isEqualTo(2);

        late.accept(3);

        assertThat(state.more).isNull();
        assertThat(log.remaining(state, now)).isEqualTo(2);
    }

    @Test
    void adopt_otherNumberOfPermits_staysCompact() {
        Algorithm before = Algorithms.of(Limit.slidingLog(9, Duration.ofSeconds(12)));
        Algorithm fewer = Algorithms.of(Limit.slidingLog(3, Duration.ofSeconds(12)));
        LimitState state = LimitState.create(0);
        long now = grant(before, state, 0, 5, 1_000_000_000);

        assertThat(fewer.adopt(state, before, now)).isTrue();

        assertThat(state.more).isNull();
        assertThat(fewer.remaining(state, now)).isZero();
        assertThat(fewer.earliest(state, now, 0, 1))
                .as("the third of five expires") // three must, so that there is room for one under a limit of 3
                .isEqualTo(3_000_000_000L + 12_000_000_000L - now);
    }

    /** Grants a permit a number of times, each a given time after the one before. Returns the time of the last one. */
    private static long grant(Algorithm log, LimitState state, long now, int times, long nanos) {
        for (int i = 1; i <= times; i++) {
            log.tryGrant(state, now + i * nanos, 1);
        }
        return now + times * nanos;
    }
}
