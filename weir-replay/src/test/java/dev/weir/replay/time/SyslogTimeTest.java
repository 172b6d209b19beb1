package dev.weir.replay.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.replay.format.LogOptions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times without a year. */
class SyslogTimeTest {
    @Test
    void parse_yearGiven_isTheYearOfTheFirstTime() {
        assertThat(times(new SyslogTime(2025, null), "Dec 31 23:59:59", "Jan  1 00:00:00", "Dec 31 23:59:58"))
                .containsExactly("2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2025-12-31T23:59:58Z");
    }

    @Test
    void parse_yearNotGiven_isTheLatestBeforeTheFileWasWritten() {
        String written = "2026-01-05T12:00:00Z";

        assertThat(times(written(written), "Jan  5 11:59:59")).containsExactly("2026-01-05T11:59:59Z");
        assertThat(times(written(written), "Dec 20 00:00:00", "Jan  2 00:00:00"))
                .containsExactly("2025-12-20T00:00:00Z", "2026-01-02T00:00:00Z");
        assertThat(times(written("2026-12-31T23:30:00Z"), "Jan  1 00:30:00")).containsExactly("2027-01-01T00:30:00Z");
    }

    @Test
    void parse_logOfMoreThanAYear_goesOnThroughTheYears() {
        assertThat(times(
                        new SyslogTime(2023, null),
                        "Nov  1 00:00:00",
                        "Mar  1 00:00:00",
                        "Aug  1 00:00:00",
                        "Jan  1 00:00:00"))
                .containsExactly(
                        "2023-11-01T00:00:00Z", "2024-03-01T00:00:00Z", "2024-08-01T00:00:00Z", "2025-01-01T00:00:00Z");
    }

    @Test
    void parse_leapDay_isInALeapYear() {
        assertThat(times(written("2026-06-01T00:00:00Z"), "Feb 29 10:00:00")).containsExactly("2024-02-29T10:00:00Z");
        assertThat(parse(new SyslogTime(2025, null), "Feb 29 10:00:00")).isEqualTo(TimeParser.NOT_A_TIME);
        SyslogTime before = new SyslogTime(2025, null);
        parse(before, "Feb 28 10:00:00");
        assertThat(parse(before, "Feb 29 10:00:00")).isEqualTo(TimeParser.NOT_A_TIME);
    }

    @Test
    void parse_dayOfOneDigitBehindOneSpace_isRead() {
        assertThat(times(new SyslogTime(2025, null), "Mar 1 10:00:00", "Mar 2 10:00:00.5", "Mar  3 10:00:00"))
                .containsExactly("2025-03-01T10:00:00Z", "2025-03-02T10:00:00.500Z", "2025-03-03T10:00:00Z");
        for (String other : List.of("Mar  10:00:00", "Mar 1  10:00:00", "Mar x 10:00:00", "Mar 1 10:00:0")) {
            assertThat(parse(new SyslogTime(2025, null), other)).as(other).isEqualTo(TimeParser.NOT_A_TIME);
        }
    }

    @Test
    void parse_fraction_isRead() {
        assertThat(times(new SyslogTime(2025, null), "Nov 21 10:00:00.25")).containsExactly("2025-11-21T10:00:00.250Z");
    }

    @Test
    void parse_nothingGivesTheYear_isUnknown() {
        assertThat(parse(new SyslogTime(null, null), "Nov 21 10:00:00")).isEqualTo(TimeParser.YEAR_UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nov 21 10:00",
                "Nox 21 10:00:00",
                "Nov 31 10:00:00",
                "Nov  0 10:00:00",
                "Nov 2x 10:00:00",
                "Nov 21 24:00:00",
                "Nov 21 10:00:00x",
                "Nov 21 10:00:00.",
                "Nov 21 10:00:00 2025"
            })
    void parse_otherText_isNoTime(String text) {
        assertThat(parse(new SyslogTime(2025, null), text)).isEqualTo(TimeParser.NOT_A_TIME);
    }

    @ParameterizedTest
    @CsvSource({
        "21/Nov/2026:10:00:00.250 +0100,2026-11-21T09:00:00.250Z",
        "21/Nov/2026:10:00:00.5,2026-11-21T10:00:00.500Z",
        "21/Nov/2026:10:00:00,2026-11-21T10:00:00Z"
    })
    void parse_commonFormatWithFractionOrWithoutZone_isRead(String text, String expected) {
        assertThat(parse(new ClfTime(), text)).isEqualTo(nanos(expected));
    }

    @ParameterizedTest
    @ValueSource(ints = {1969, 2262})
    void year_outOfRange_isRefused(int year) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.builder().year(year))
                .withMessage("year must be from 1970 to 2261, was " + year);
    }

    private static SyslogTime written(String time) {
        return new SyslogTime(null, Instant.parse(time));
    }

    private static List<String> times(SyslogTime parser, String... texts) {
        List<String> times = new ArrayList<>();
        for (String text : texts) {
            long nanos = parse(parser, text);
            times.add(Instant.ofEpochSecond(nanos / 1_000_000_000, nanos % 1_000_000_000)
                    .toString());
        }
        return times;
    }

    private static long parse(TimeParser parser, String text) {
        byte[] bytes = ("9" + text + "9").getBytes(StandardCharsets.UTF_8);
        return parser.parse(bytes, 1, bytes.length - 1);
    }

    private static long nanos(String text) {
        Instant instant = Instant.parse(text);
        return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
    }
}
