package dev.weir.replay.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

final class TimeAxisTest {
    private static final long HOUR = 3_600_000_000_000L;

    @Test
    void spanning_threeDays_hasHoursFromTheFullHour() {
        long first = 1000 * HOUR + 5;
        TimeAxis axis = TimeAxis.spanning(first, first + 82 * HOUR);

        assertThat(axis).isEqualTo(new TimeAxis(1000 * HOUR, HOUR, 83));
        assertThat(axis.bucket(first)).isZero();
        assertThat(axis.bucket(first + 82 * HOUR)).isEqualTo(82);
    }

    @Test
    void spanning_anySpan_hasFewBucketsAndCoversBothEnds() {
        for (long span = 1; span > 0 && span < Long.MAX_VALUE / 2; span *= 3) {
            TimeAxis axis = TimeAxis.spanning(7 * HOUR, 7 * HOUR + span);

            assertThat(axis.buckets()).isBetween(1, 200);
            assertThat(axis.bucket(7 * HOUR)).isZero();
            assertThat(axis.bucket(7 * HOUR + span)).isEqualTo(axis.buckets() - 1);
        }
        assertThat(TimeAxis.spanning(0, Long.MAX_VALUE).buckets()).isBetween(1, 200);
    }

    @Test
    void spanning_years_beginsWithTheDayOfTheFirstTime() {
        long day = LocalDate.parse("2022-05-15").toEpochDay() * 24 * HOUR;
        long last = LocalDate.parse("2026-06-08").toEpochDay() * 24 * HOUR;

        TimeAxis axis = TimeAxis.spanning(day + HOUR, last);

        assertThat(axis).isEqualTo(new TimeAxis(day, 30 * 24 * HOUR, 50));
        assertThat(axis.contains(last)).isTrue();
    }
}
