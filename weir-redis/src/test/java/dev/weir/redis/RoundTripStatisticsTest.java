package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreStatistics;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The statistics of round trips. */
final class RoundTripStatisticsTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final RoundTripStatistics statistics = new RoundTripStatistics();

    private static Batch batch(int size, long sentAt) {
        Request request = Request.of("test", Limits.parse("10/1h"), "key", 1);
        PendingRequest pending = new PendingRequest(0, List.of(request), 0, false, sentAt, 1);
        return new Batch(0, List.of(Collections.nCopies(size, pending)), sentAt);
    }

    @Test
    void record_sumsAll_longestIsThatOfTheLastMinutes() {
        statistics.record(batch(1, 0), 30);
        statistics.record(batch(4, 0), 50);
        statistics.record(batch(2, 0), 40);

        StoreStatistics expected = new StoreStatistics(OptionalInt.empty(), OptionalDouble.empty(), 5, 3, 120, 50, 7);
        assertThat(statistics.of(5, 50)).isEqualTo(expected);
        assertThat(statistics.of(0, MINUTE).longestRoundTripNanos()).isEqualTo(50);
        assertThat(statistics.of(0, 3 * MINUTE))
                .isEqualTo(new StoreStatistics(OptionalInt.empty(), OptionalDouble.empty(), 0, 3, 120, 0, 7));
    }
}
