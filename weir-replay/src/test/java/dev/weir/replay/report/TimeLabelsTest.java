package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.replay.analysis.TimeAxis;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class TimeLabelsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3600 * SECOND;
    private static final long DAY = 24 * HOUR;
    private static final long SUNDAY = 1_431_856_800 * SECOND; // 17 May 2015 10:00 UTC

    @Test
    void of_days_areLabelledAtMidnight() {
        assertThat(labels(new TimeAxis(SUNDAY, HOUR, 84)))
                .containsExactly("Sun 17 May", "Mon 18 May", "Tue 19 May", "Wed 20 May");
    }

    @Test
    void of_hours_beginWithTheDayAndNameTheNext() {
        assertThat(labels(new TimeAxis(SUNDAY, HOUR, 26)))
                .containsExactly("Sun 17 May 12:00", "18:00", "Mon 18 May", "06:00");
    }

    @Test
    void of_oneBucket_isItsStart() {
        assertThat(labels(new TimeAxis(SUNDAY, 1_000_000, 1))).containsExactly("Sun 17 May 10:00:00.000");
    }

    @Test
    void of_years_areLabelledWhereTheyBegin() {
        TimeAxis axis = new TimeAxis(nanos("2022-05-15"), 30 * DAY, 50); // to June 2026

        assertThat(labels(axis)).containsExactly("May 2022", "2023", "2024", "2025", "2026");
        assertThat(places(axis).get(1)).isCloseTo(axis.position(nanos("2023-01-01")), within(0.001));
        assertThat(places(axis).get(4)).isCloseTo(axis.position(nanos("2026-01-01")), within(0.001));
    }

    @Test
    void of_months_areLabelledAtTheirFirstDay() {
        assertThat(labels(new TimeAxis(nanos("2024-08-15"), 7 * DAY, 52)))
                .containsExactly("Oct 2024", "Jan 2025", "Apr 2025", "Jul 2025");
        assertThat(labels(new TimeAxis(nanos("2024-08-15"), DAY, 110)))
                .containsExactly("15 Aug 2024", "Sep 2024", "Oct 2024", "Nov 2024");
    }

    @Test
    void of_weeks_areLabelledAtMonday() {
        assertThat(labels(new TimeAxis(nanos("2025-08-15"), DAY, 28)))
                .containsExactly("Fri 15 Aug", "Mon 18 Aug", "Mon 25 Aug", "Mon 1 Sep", "Mon 8 Sep");
    }

    @Test
    void of_centuries_areLabelledEveryFiftyYears() {
        assertThat(labels(new TimeAxis(0, 730 * DAY, 146))).containsExactly("2000", "2050", "2100", "2150", "2200");
    }

    /** There is no room for a label at the end. */
    @Test
    void of_firstBoundaryAtTheEnd_isTheStart() {
        assertThat(labels(new TimeAxis(SUNDAY + 2 * SECOND, SECOND / 10, 81))).containsExactly("Sun 17 May 10:00:02");
    }

    private static long nanos(String day) {
        return LocalDate.parse(day).toEpochDay() * DAY;
    }

    /** Returns where the labels are, from 0 to 1. */
    private static List<Double> places(TimeAxis axis) {
        return Pattern.compile("<text x=\"([\\d.]+)%\"")
                .matcher(TimeLabels.of(axis).source())
                .results()
                .map(place -> Double.parseDouble(place.group(1)) / 100)
                .toList();
    }

    private static List<String> labels(TimeAxis axis) {
        return Pattern.compile(">([^<>]+)</text>")
                .matcher(TimeLabels.of(axis).source())
                .results()
                .map(label -> label.group(1))
                .toList();
    }
}
