package dev.weir.replay.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeParserTest {
    private static final long SECOND = 1_000_000_000L;

    private final TimeParser any = new AnyTime(2015, null);

    @Test
    void parse_clfOfTheSameMinute_checksTheRest() {
        TimeParser clf = new ClfTime();
        long time = parse(clf, "17/May/2015:10:05:03 +0000");

        assertThat(parse(clf, "17/May/2015:10:05:60 +0000")).isEqualTo(time + 57 * SECOND);
        assertThat(parse(clf, "17/May/2015:10:05:03 +0100")).isEqualTo(time - 3600 * SECOND);
        for (String text :
                new String[] {"17/May/2015:10:05:61 +0000", "17/May/2015:10:05.03 +0000", "17/May/2015:10.05:03"}) {
            assertThat(parse(clf, text)).as(text).isEqualTo(TimeParser.NOT_A_TIME);
        }
    }

    @Test
    void parse_randomTimesInClf_agreesWithTheJdk() {
        TimeParser clf = new ClfTime();
        DateTimeFormatter format = DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            OffsetDateTime time = randomTime(random).withNano(0);

            assertThat(parse(clf, format.format(time))).as("%s", time).isEqualTo(nanos(time));
        }
    }

    @Test
    void parse_randomTimesInIso_agreesWithTheJdk() {
        Random random = new Random(2);
        for (int i = 0; i < 20_000; i++) {
            OffsetDateTime time = randomTime(random);

            assertThat(parse(any, time.toString())).as("%s", time).isEqualTo(nanos(time));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2015-05-17T10:05:03Z | 1431857103000000000",
                "2015-05-17t10:05:03z | 1431857103000000000",
                "2015-05-17 12:05:03+02:00 | 1431857103000000000",
                "2015-05-17T12:05:03+0200 | 1431857103000000000",
                "2015-05-17T12:05:03+02 | 1431857103000000000",
                "2015-05-17T05:35:03-04:30 | 1431857103000000000",
                "2015-05-17 12:05:03.25 +0200 | 1431857103250000000",
                "2015-05-17 12:05:03 +02:00 | 1431857103000000000",
                "2015-05-17 10:05:03.250 UTC | 1431857103250000000",
                "2015-05-17T10:05:03 Z | 1431857103000000000",
                "2015-05-17T10:05Z | 1431857100000000000",
                "2015-05-17T10:05:03.25Z | 1431857103250000000",
                "2015-05-17T10:05:03,25Z | 1431857103250000000",
                "2015-05-17T10:05:03.1234567891Z | 1431857103123456789",
                "2016-02-29T00:00:00Z | 1456704000000000000",
                "2016-12-31T23:59:60Z | 1483228800000000000",
                "17/May/2015:10:05:03 +0000 | 1431857103000000000",
                "17/may/2015:10:05:03 +0000 | 1431857103000000000",
                "0 | 0",
                "1431857103 | 1431857103000000000",
                "1431857103.5 | 1431857103500000000",
                "1431857103.123456789123 | 1431857103123456789",
                "1.431857103e9 | 1431857103000000000",
                "1431857103250 | 1431857103250000000",
                "1431857103250.5 | 1431857103250500000",
                "1431857103250001 | 1431857103250001000",
                "1431857103250001002 | 1431857103250001002",
                "1.431857103250001002e+18 | 1431857103250001002",
                "9223372034 | 9223372034000000000",
                "9223372036854775807 | 9223372036854775807",
                "1e-30 | 0",
                "100000000000 | 100000000000000000", // the first milliseconds, microseconds and nanoseconds
                "100000000000000 | 100000000000000000",
                "100000000000000000 | 100000000000000000",
                "100000000000.0 | 100000000000000000",
                "100000000000000.0 | 100000000000000000",
                "100000000000000000.0 | 100000000000000000",
            })
    void parse_time_isRead(String text, long expected) {
        assertThat(parse(any, text)).isEqualTo(expected);
    }

    @Test
    void parse_isoTimeWithoutOffset_isUtc() {
        assertThat(parse(any, "2015-05-17T10:05:03")).isEqualTo(parse(any, "2015-05-17T10:05:03Z"));
        assertThat(parse(any, "2015-05-17 10:05:03.25")).isEqualTo(parse(any, "2015-05-17T10:05:03.25Z"));
        assertThat(parse(any, "2015-05-17T10:05")).isEqualTo(parse(any, "2015-05-17T10:05:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                ".",
                "e",
                "yesterday",
                "2015-05-17",
                "2015-05-17T10:05:03.Z",
                "2015-05-17T10:05:03+2",
                "2015-05-17T10:05:03+02:0",
                "2015-05-17T10:05:03*02:00",
                "2015-05-17T10:05:03+19",
                "2015-05-17T10:05:03+02:60",
                "2015-02-29T00:00:00Z",
                "1900-02-29T00:00:00Z",
                "2015-13-01T00:00:00Z",
                "2015-00-01T00:00:00Z",
                "2015-01-00T00:00:00Z",
                "2015-04-31T00:00:00Z",
                "2015-05-17T24:00:00Z",
                "2015-05-17T10:60:00Z",
                "2015-05-17T10:05:61Z",
                "2015/05/17T10:05:03Z",
                "2015-05-17T10:05:03 ",
                "2015-05-17T10:05:03  Z",
                "2015-05-17T10:05:03 CET",
                "2015-05-17T10:05:03 UT1",
                "+2015-05-17T10:05:03Z",
                "17/Foo/2015:10:05:03 +0000",
                "17/May/2015:10:05:03 UTC00",
                "17/May/2015:10:05:03+00000",
                "31/Apr/2015:10:05:03 +0000",
                "00/May/2015:10:05:03 +0000",
                "17/May/2015:24:05:03 +0000",
                "17/May/2015 10:05:03 +0000",
                "0x10",
                "1431857103s",
                "1e-999999999",
                "NaN",
                "Infinity",
                "١٢٣",
                "1e99999999999",
                "2015-05-17T10:05:03Z\u0000"
            })
    void parse_noTime_isNone(String text) {
        assertThat(parse(any, text)).isEqualTo(TimeParser.NOT_A_TIME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9999-12-31T23:59:59Z",
                "0000-01-01T00:00:00Z",
                "1600-01-01T00:00:00Z",
                "17/May/9999:10:05:03 +0000",
                "99999999999",
                "9223372036854775808",
                "99999999999999999999",
                "1e30",
                "1e999999999",
                "-1e30",
                "99999999999999",
                "99999999999999999",
                "-1",
                "-0.5",
                "1969-12-31T23:59:59Z",
                "1970-01-01T00:00:00+00:01"
            })
    void parse_timeThatDoesNotFit_isOutOfRange(String text) {
        assertThat(parse(any, text)).isEqualTo(TimeParser.OUT_OF_RANGE);
    }

    @Test
    void parse_epochNumbers_grewThroughTheUnitsWithoutAGap() {
        for (long seconds = 1; seconds < 5_000_000_000L; seconds = seconds * 3 + 1) {
            assertThat(parse(any, Long.toString(seconds))).isEqualTo(seconds * SECOND);
            assertThat(parse(any, seconds + ".000000001")).isEqualTo(seconds * SECOND + 1);
        }
        for (long seconds = 100_000_000; seconds < 5_000_000_000L; seconds = seconds * 2 + 1) {
            assertThat(parse(any, seconds + "123")).isEqualTo(seconds * SECOND + 123_000_000);
            assertThat(parse(any, seconds + "123456")).isEqualTo(seconds * SECOND + 123_456_000);
            assertThat(parse(any, seconds + "123456789")).isEqualTo(seconds * SECOND + 123_456_789);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yyyy-MM-dd HH:mm:ss | 2015-05-17 10:05:03 | 1431857103000000000",
                "yyyy-MM-dd HH:mm:ss.SSS | 2015-05-17 10:05:03.250 | 1431857103250000000",
                "yyyy-MM-dd HH:mm:ss Z | 2015-05-17 12:05:03 +0200 | 1431857103000000000",
                "yyyy-MM-dd HH:mm:ss VV | 2015-05-17 12:05:03 Europe/Berlin | 1431857103000000000",
                "d MMM yyyy, h:mm:ss a | 17 MAY 2015, 10:05:03 am | 1431857103000000000",
                "yyyy-MM-dd | 2015-05-17 | 1431820800000000000",
            })
    void parse_pattern_isReadInEnglishAndUtc(String pattern, String text, long expected) {
        TimeParser parser = new PatternTime(pattern);

        assertThat(parse(parser, text)).isEqualTo(expected);
        assertThat(parse(parser, "nonsense")).isEqualTo(TimeParser.NOT_OF_THE_FORM);
        assertThat(parse(parser, text)).isEqualTo(expected);
        assertThat(parse(parser, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-10-25 02:30:00 CEST | 2026-10-25T00:30:00Z",
                "2026-10-25 02:30:00 CET | 2026-10-25T01:30:00Z",
                "2026-10-25 02:30:00 Central European Standard Time | 2026-10-25T01:30:00Z",
                "2026-11-01 01:30:00 EDT | 2026-11-01T05:30:00Z",
                "2026-11-01 01:30:00 est | 2026-11-01T06:30:00Z",
                "2026-07-01 01:30:00 EDT | 2026-07-01T05:30:00Z",
                "2026-07-01 01:30:00 UTC | 2026-07-01T01:30:00Z",
                "2026-07-01 01:30:00 GMT | 2026-07-01T01:30:00Z",
                "2026-07-01 01:30:00 Asia/Tokyo | 2026-06-30T16:30:00Z",
            })
    void parse_patternWithANamedZone_hasTheOffsetOfThatName(String text, Instant expected) {
        TimeParser parser = new PatternTime("yyyy-MM-dd HH:mm:ss [zzzz][z][VV]");

        assertThat(parse(parser, text)).isEqualTo(expected.getEpochSecond() * SECOND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-10-25 02:30:00 Europe/Paris", // there twice
                "2026-03-29 02:30:00 Europe/Paris", // not there
                "2026-07-01 01:30:00 EST", // the name is that of the winter
                "2026-07-01 01:30:00 CET",
            })
    void parse_patternWithAZoneThatLeavesTheTimeOpen_isNoTime(String text) {
        TimeParser parser = new PatternTime("yyyy-MM-dd HH:mm:ss [z][VV]");

        assertThat(parse(parser, text)).isEqualTo(TimeParser.NOT_OF_THE_FORM);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yyyy-MM-dd hh:mm:ss | contains the hour (HH) but not the half of the day (HH, or hh with a)",
                "yyyy-MM-dd HH:MM:ss | contains the second (ss) but not the minute (mm)",
                "yyyy-MM-dd HH:mm:SS | contains the fraction of a second (S) but not the second (ss)",
                "yyyy-MM-dd mm:ss | contains the minute (mm) but not the hour (HH)",
            })
    void formatter_patternWithoutALargerUnit_isRefused(String pattern, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PatternTime.formatter(pattern))
                .withMessage("time format '" + pattern + "' " + reason);
    }

    @Test
    void parse_patternWithAFarYear_isOutOfRange() {
        assertThat(parse(new PatternTime("yyyy-MM-dd"), "9999-01-01")).isEqualTo(TimeParser.OUT_OF_RANGE);
    }

    private static long parse(TimeParser parser, String text) {
        byte[] bytes = ("[" + text + "]").getBytes(StandardCharsets.UTF_8);
        return parser.parse(bytes, 1, bytes.length - 1);
    }

    private static OffsetDateTime randomTime(Random random) {
        Instant instant =
                Instant.ofEpochSecond(random.nextLong(100_000, 9_000_000_000L), random.nextInt(1_000_000_000));
        return instant.atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60 + 1)));
    }

    private static long nanos(OffsetDateTime time) {
        return time.toEpochSecond() * SECOND + time.getNano();
    }
}
