package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of limits: what is parsed, how it is written, and the messages for text that is not a limit. */
class LimitTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    5/10s                                                   | sliding-log 5/10s
                    sliding-log 5/10s                                       | sliding-log 5/10s
                    '  100/60s '                                            | sliding-log 100/1m
                    100/PT1M                                                | sliding-log 100/1m
                    100/90s                                                 | sliding-log 100/90s
                    1/24h                                                   | sliding-log 1/1d
                    1/1500us                                                | sliding-log 1/1500us
                    5/10s resolution=1ms count=admitted                     | sliding-log 5/10s
                    5/10s resolution=10ms count=attempts margin=50ms name=a | sliding-log 5/10s resolution=10ms count=attempts margin=50ms name=a
                    sliding-window 5/10s buckets=60 estimate=conservative   | sliding-window 5/10s
                    sliding-window 5/10s buckets=10 estimate=classic        | sliding-window 5/10s buckets=10 estimate=classic
                    fixed-window 5/10s align=clock                          | fixed-window 5/10s
                    fixed-window 5/10s align=first                          | fixed-window 5/10s align=first
                    token-bucket 5/10s burst=5                              | token-bucket 5/10s
                    token-bucket 5/10s burst=9                              | token-bucket 5/10s burst=9
                    leaky-bucket 5/10s capacity=5                           | leaky-bucket 5/10s
                    leaky-bucket 5/10s capacity=2                           | leaky-bucket 5/10s capacity=2
                    gcra 5/10s burst=1                                      | gcra 5/10s
                    gcra 5/10s burst=3 name=x.y_z-1                         | gcra 5/10s burst=3 name=x.y_z-1
                    """)
    void parse_anyForm_writesTheCanonicalOne(String text, String canonical) {
        Limit limit = Limit.parse(text);

        assertThat(limit).hasToString(canonical);
        assertThat(Limit.parse(canonical)).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                             | limit '', column 1: limit is empty; expected a limit such as 100/1m or token-bucket 100/1m burst=200
                    sliding 5/1s                   | limit 'sliding 5/1s', column 1: unknown algorithm 'sliding' (did you mean 'sliding-log'?); expected one of sliding-log, sliding-window, fixed-window, token-bucket, leaky-bucket, gcra, unlimited, or PERMITS/WINDOW such as 100/1m
                    gcra                           | limit 'gcra', column 5: PERMITS/WINDOW is missing after 'gcra'; expected e.g. 100/1m
                    gcra 5                         | limit 'gcra 5', column 6: no '/' in '5'; expected PERMITS/WINDOW such as 100/1m
                    5/10x                          | limit '5/10x', column 5: unknown unit 'x'; expected ns, us, ms, s, m or min, h, d or w
                    5/                             | limit '5/', column 3: '' is not a duration; expected a duration such as 10ms, 1s, 1m, 1h, 1d, 1w or PT1M
                    5/10                           | limit '5/10', column 3: '10' is not a duration; expected a duration such as 10ms, 1s, 1m, 1h, 1d, 1w or PT1M
                    0/1s                           | limit '0/1s', column 1: permits must be at least 1, was 0
                    -3/1s                          | limit '-3/1s', column 1: permits must be at least 1, was -3
                    5/0s                           | limit '5/0s', column 3: window must be at least 1 nanosecond, was PT0S
                    5/PT-1S                        | limit '5/PT-1S', column 3: window must not be negative, was PT-1S
                    5/26646d                       | limit '5/26646d', column 3: window must be at most 73 years (26645d), was 26646d
                    5/400000d                      | limit '5/400000d', column 3: '400000d' is longer than 292 years
                    99999999999999999999/1s        | limit '99999999999999999999/1s', column 1: permits is '99999999999999999999'; expected a whole number from 1 to 9223372036854775807
                    5/1s fast                      | limit '5/1s fast', column 6: 'fast' is not OPTION=VALUE; sliding-log takes resolution=1ms, count=admitted~attempts, margin=50ms and name=NAME
                    5/1s burst=3                   | limit '5/1s burst=3', column 6: option 'burst' belongs to token-bucket and gcra, not to sliding-log; sliding-log takes resolution=1ms, count=admitted~attempts, margin=50ms and name=NAME
                    gcra 5/1s burst=0              | limit 'gcra 5/1s burst=0', column 17: burst must be at least 1, was 0
                    gcra 5/1s burst=1 burst=2      | limit 'gcra 5/1s burst=1 burst=2', column 19: option 'burst' is given twice
                    fixed-window 5/1s align=left   | limit 'fixed-window 5/1s align=left', column 25: 'left' is not a choice; expected clock or first
                    5/1s margin=PT-1S              | limit '5/1s margin=PT-1S', column 13: margin must not be negative, was PT-1S
                    5/1s resolution=2s             | limit '5/1s resolution=2s', column 17: resolution must be at most 1s, was 2s
                    sliding-window 5/1s buckets=99999999999 | limit 'sliding-window 5/1s buckets=99999999999', column 29: buckets must be at most 1000000, was 99999999999
                    5/1s name=9lives               | limit '5/1s name=9lives', column 11: name must be a letter and up to 63 more letters, digits, '.', '_' or '-', was '9lives'
                    sliding-window 5/1s buckets=0  | limit 'sliding-window 5/1s buckets=0', column 29: buckets must be at least 1, was 0
                    """)
    void parse_unreadable_reportsWhatAndWhereAndWhatWouldBeAccepted(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text)).withMessage(message.replace("~", "|"));
    }

    @Test
    void parse_endlessText_isRefusedShortly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("5/1s ".repeat(1000)))
                .withMessage("limit must be at most 512 characters long, was 5000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("\u0007\u001b[31m" + "x".repeat(100)))
                .withMessageContaining("column 1: unknown algorithm '??[31mxxx")
                .satisfies(fault -> assertThat(fault.getMessage()).hasSizeLessThan(400));
    }

    @Tag("large")
    @Test
    void parse_anyMutatedText_readsOrReportsWhy() {
        List<String> seeds = List.of(
                "sliding-log 5/10s resolution=10ms count=attempts margin=50ms name=a",
                "sliding-window 5/PT10S buckets=10 estimate=classic",
                "token-bucket 9223372036854775807/26645d burst=200",
                "leaky-bucket 5/10s capacity=2",
                "fixed-window 5/1d align=first");
        String alphabet = "0123456789/=-. abcdefghijklmnopqrstuvwxyzPTS\u0000\u00e4\ud83d";
        SplittableRandom random = new SplittableRandom(17);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder(seeds.get(random.nextInt(seeds.size())));
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                char c = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, c);
                    case 1 -> text.insert(at, c);
                    default -> text.deleteCharAt(at).append(c);
                }
            }
            try {
                Limit limit = Limit.parse(text.toString());
                assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage())
                        .as(text.toString())
                        .startsWith("limit '")
                        .contains("column ");
            }
        }
    }

    @Test
    void factories_defaults_areThoseOfTheText() {
        Duration minute = Duration.ofMinutes(1);

        assertThat(Limit.slidingLog(9, minute)).isEqualTo(Limit.parse("9/1m"));
        assertThat(Limit.slidingWindow(9, minute)).isEqualTo(Limit.parse("sliding-window 9/1m"));
        assertThat(Limit.fixedWindow(9, minute)).isEqualTo(Limit.parse("fixed-window 9/1m"));
        assertThat(Limit.tokenBucket(9, minute)).isEqualTo(Limit.parse("token-bucket 9/1m"));
        assertThat(Limit.leakyBucket(9, minute)).isEqualTo(Limit.parse("leaky-bucket 9/1m"));
        assertThat(Limit.gcra(9, minute)).isEqualTo(Limit.parse("gcra 9/1m"));
        assertThat(Limit.slidingLog(9, minute)
                        .resolution(Duration.ofMillis(5))
                        .margin(Duration.ofMillis(7))
                        .named("x"))
                .isEqualTo(Limit.parse("9/1m resolution=5ms margin=7ms name=x"));
    }

    @Test
    void resolution_default_isAMillisecondOrAThousandthOfTheWindow() {
        assertThat(Limit.slidingLog(1, Duration.ofDays(1)).resolution()).hasNanos(1_000_000);
        assertThat(Limit.slidingLog(1, Duration.ofSeconds(1)).resolution()).hasNanos(1_000_000);
        assertThat(Limit.slidingLog(1, Duration.ofMillis(10)).resolution()).hasNanos(10_000);
        assertThat(Limit.slidingLog(1, Duration.ofNanos(10)).resolution()).hasNanos(1);
    }

    @Test
    void values_outOfRange_areRefusedWhenBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.slidingLog(0, Duration.ofSeconds(1)))
                .withMessage("permits must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.slidingLog(1, Duration.ZERO))
                .withMessage("window must be at least 1 nanosecond, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.slidingLog(1, Duration.ofDays(400 * 365)))
                .withMessage("window must be at most 73 years (26645d), was PT3504000H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.slidingLog(1, Duration.ofDays(26646)))
                .withMessage("window must be at most 73 years (26645d), was 26646d");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.gcra(1, Duration.ofDays(365)).burst(1000))
                .withMessage("burst must be at most 73, was 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.leakyBucket(1, Duration.ofDays(1)).capacity(0))
                .withMessage("capacity must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(Limits::of)
                .withMessage("number of limits must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.parse("1/1s name=a", "2/1m name=a"))
                .withMessage("names of limits must differ, was twice 'a'");
    }

    @Test
    void parse_weeksMinutesAndUnlimited_areRead() {
        assertThat(Limit.parse("1/2w"))
                .isEqualTo(Limit.slidingLog(1, Duration.ofDays(14)))
                .hasToString("sliding-log 1/2w");
        assertThat(Limit.parse("1/5min")).isEqualTo(Limit.parse("1/5m"));
        assertThat(Limit.parse("unlimited")).isEqualTo(Limit.unlimited()).hasToString("unlimited");
        assertThat(Limit.parse("unlimited name=internal"))
                .isEqualTo(Limit.unlimited().named("internal"));
        assertThat(Limit.unlimited()).isNotEqualTo(Limit.unlimited().named("internal"));
    }

    @Test
    void parse_misspelled_suggests() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("tokenbucket 5/1s"))
                .withMessageContaining("(did you mean 'token-bucket'?)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("5/1s resolutoin=1ms"))
                .withMessageContaining("unknown option 'resolutoin' (did you mean 'resolution'?)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("unlimited 5/1s"))
                .withMessageContaining("column 11");
    }

    @Test
    void parse_negativeBucketsBeyondInt_isRefused() {
        assertThatThrownBy(() -> Limit.parse("sliding-window 100/1m buckets=-4294967236"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be at least 1");
    }

    @Test
    void numbers_areAsciiDigits() {
        for (String text : List.of("\u0661/1s", "1/\u0661s", "token-bucket 1/1s burst=\u0665")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text));
        }
    }

    @Test
    void localShare_whoseBurstWouldOverflow_isCappedAndNeverThrows() {
        Limit limit = Limit.parse("gcra 3/1d burst=75000");
        Limit share = limit.share(0.5);
        assertThat(share.permits()).isEqualTo(1);
        assertThat(share.maxPermitsPerRequest()).isBetween(1L, 150_000L);
        for (String text : List.of("1/1m", "token-bucket 5/1m burst=1", "leaky-bucket 5/1m capacity=1")) {
            assertThat(Limit.parse(text).share(1e-300).maxPermitsPerRequest()).isEqualTo(1);
        }
    }

    @Test
    void localShare_ofManyPermits_isExact() {
        long many = (1L << 53) + 3;
        assertThat(Limit.slidingLog(many, Duration.ofSeconds(1)).share(1).permits())
                .isEqualTo(many);
        assertThat(Limit.slidingLog(Long.MAX_VALUE, Duration.ofSeconds(1))
                        .share(0.5)
                        .permits())
                .isEqualTo(Long.MAX_VALUE / 2);
    }
}
