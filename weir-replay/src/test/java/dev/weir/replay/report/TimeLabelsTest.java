package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.analysis.TimeAxis;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class TimeLabelsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3600 * SECOND;
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

    private static List<String> labels(TimeAxis axis) {
        return Pattern.compile(">([^<>]+)</text>")
                .matcher(TimeLabels.of(axis).source())
                .results()
                .map(label -> label.group(1))
                .toList();
    }
}
