package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class WaitingProcessesTest {
    private static final long MILLI = 1_000_000;

    /** The times of 10,000 grants, one in each of these intervals. */
    private static long[] grantsEvery(long nanos) {
        return LongStream.range(0, 10_000).map(i -> i * nanos).toArray();
    }

    private static double percentUsed(long... grants) {
        return WaitingProcesses.percentUsed(grants, grants);
    }

    @Test
    void percentUsed_grantEachMillisecond_usesTheWholeLimit() {
        assertThat(percentUsed(grantsEvery(MILLI))).isEqualTo(100);
        assertThat(percentUsed(grantsEvery(2 * MILLI))).isEqualTo(50);
    }

    /** A caller that gets its permit later and later uses less than was granted to it. */
    @Test
    void percentUsed_callersThatAreLate_isTheirs() {
        assertThat(WaitingProcesses.percentUsed(grantsEvery(MILLI), grantsEvery(2 * MILLI)))
                .isEqualTo(50);
    }

    /** It would look like a use of more than the goal. */
    @Test
    void percentUsed_windowWithMoreThanTheLimit_isReported() {
        assertThatThrownBy(() -> percentUsed(grantsEvery(MILLI - 1)))
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("10000 permits were granted, and 9000 windows had more than 1000");
    }
}
