package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.internal.OccasionalLog;
import dev.weir.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerLimitsReaderTest {
    private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";

    private static ServerLimits read(int status, String... namesAndValues) {
        Map<String, List<String>> headers = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.put(namesAndValues[i], List.of(namesAndValues[i + 1]));
        }
        return new ServerLimitsReader(name -> headers.getOrDefault(name, List.of()), new OccasionalLog("dev.weir.http"))
                .read(status, true);
    }

    private static ServerLimits remaining(long remaining) {
        return ServerLimits.of(remaining, ServerLimits.UNKNOWN);
    }

    private static ServerLimits remaining(long remaining, long seconds) {
        return ServerLimits.of(remaining, Duration.ofSeconds(seconds));
    }

    private static ServerLimits blocked(long seconds) {
        return new ServerLimits(Duration.ofSeconds(seconds), Duration.ZERO, List.of());
    }

    @Test
    void retryAfter_seconds() {
        assertThat(read(429, "Retry-After", " 7 ")).isEqualTo(blocked(7));
        assertThat(read(503, "Retry-After", "120")).isEqualTo(blocked(120));
        assertThat(read(403, "Retry-After", "60")).as("as GitHub").isEqualTo(blocked(60));
        assertThat(read(200, "Retry-After", "120")).isEqualTo(ServerLimits.NONE);
        assertThat(read(302, "Retry-After", "120")).isEqualTo(ServerLimits.NONE);
    }

    @Test
    void retryAfter_date_isCountedFromTheServersDate() {
        assertThat(read(429, "Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT", "Date", DATE))
                .isEqualTo(blocked(30));
        assertThat(read(429, "Retry-After", DATE)).as("passed long ago").isEqualTo(ServerLimits.NONE);
        assertThat(read(429, "Retry-After", "Sun, 06 Nov 2394 08:50:07 GMT").retryAfter())
                .isGreaterThan(Duration.ofDays(100_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sunday, 06-Nov-94 08:50:07 GMT",
                "Sun Nov  6 08:50:07 1994",
                "Sun Nov 06 08:50:07 1994",
                "1994-11-06T08:50:07Z"
            })
    void retryAfter_otherDates_areRead(String value) {
        assertThat(read(429, "Retry-After", value, "Date", DATE)).isEqualTo(blocked(30));
    }

    @Test
    void retryAfter_severalLines_longestCounts() {
        List<String> lines = List.of("5", DATE, "soon", "7", "5");

        ServerLimits learned = new ServerLimitsReader(
                        name -> name.equals("Retry-After") ? lines : List.of(), new OccasionalLog("dev.weir.http"))
                .read(429, true);

        assertThat(learned).isEqualTo(blocked(7));
        assertThat(read(429, "Retry-After", "5, 7")).isEqualTo(blocked(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "1.", ".5", "soon", "1 2", "+5", "0x10", "\u0661", "Sun, 99 Nov 1994 08:50:07 GMT", ";"})
    void retryAfter_garbage_isIgnored(String value) {
        try (LogLines log = new LogLines("dev.weir.http")) {
            assertThat(read(429, "Retry-After", value)).isEqualTo(ServerLimits.NONE);
            assertThat(log.lines()).singleElement().asString().contains("a header is ignored: Retry-After: " + value);
        }
    }

    @Test
    void numbers_withFractions_areRoundedToTheStricterSide() {
        assertThat(read(429, "Retry-After", "2.0")).isEqualTo(blocked(2));
        assertThat(read(429, "Retry-After", "0.314")).isEqualTo(blocked(1));
        assertThat(read(200, "X-RateLimit-Remaining", "5.9", "X-RateLimit-Reset", "8.1"))
                .isEqualTo(remaining(5, 9));
        assertThat(read(200, "RateLimit", "\"a\";r=5.9;t=8.1")).isEqualTo(remaining(5, 9));
    }

    @Test
    void numbers_tooLarge_saturate() {
        String huge = "9".repeat(40);

        assertThat(read(429, "Retry-After", huge).retryAfter()).isGreaterThan(Duration.ofDays(100_000));
        assertThat(read(200, "RateLimit", "\"a\";r=" + huge)).isEqualTo(remaining(999_999_999_999_999L));
        assertThat(read(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", huge)
                        .exhaustedFor())
                .isGreaterThan(Duration.ofDays(100_000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"api\";r=5;t=10|5",
                "\"api\"; r=5 ;t=10|ignored",
                "\"api\"; r=5;  t=10|5",
                "api;t=10;r=5|5",
                "\"a\";r=9, \"b\";r=5;t=1,\"c\";r=7|5",
                "\"a;r=1\\\",\";r=8;pk=:cHsdsRa894==:;x;y=?0;z=1.5|8",
                "\"a\";r=-5;t=10|none",
                "\"a\";t=10|none",
                "\"a\";r=x;t=10|none",
                "\"a\";r=5;t=-10|5",
                "limit=100, remaining=5, reset=1|5",
                "limit=100, remaining=soon, reset=1|ignored",
                "limit=100, reset=1|ignored",
                "\"a|ignored",
                "\"a\";r=5,|ignored",
                "\"a\";|ignored",
                "(\"a\" \"b\");r=5|ignored",
                "\"a\";r=5 \"b\"|ignored",
                "\"a\\|ignored",
                "\"a\";R=5|ignored",
                "\"a\";{=5|ignored",
                "\"a\\\";r=1\";a0_-.*z9=1;r=6|6",
                " \"a\";r=7 , \"b\";r=8 |7"
            })
    void rateLimit_list(String value, String expected) {
        try (LogLines log = new LogLines("dev.weir.http")) {
            ServerLimits learned = read(200, "RateLimit", value);

            assertThat(learned.remaining())
                    .isEqualTo(expected.matches("\\d+") ? Long.parseLong(expected) : Long.MAX_VALUE);
            assertThat(log.lines()).hasSize(expected.equals("ignored") ? 1 : 0);
        }
    }

    @Test
    void rateLimit_severalUsedUp_latestResetCounts() {
        assertThat(read(200, "RateLimit", "\"a\";r=0;t=3, \"b\";r=0;t=60, \"c\";r=2;t=900"))
                .isEqualTo(remaining(2, 900).and(remaining(0, 60)));
    }

    @Test
    void rateLimit_severalQuotas_thoseThatNoStricterOneImpliesCount() {
        ServerLimits learned =
                read(200, "RateLimit", "\"a\";r=2;t=1, \"b\";r=12;t=52, \"c\";r=13;t=40, \"d\";r=12;t=3");

        assertThat(learned.quotas())
                .containsExactly(
                        new ServerLimits.Quota(12, Duration.ofSeconds(52)),
                        new ServerLimits.Quota(2, Duration.ofSeconds(1)));
    }

    @Test
    void separateHeaders_olderForms() {
        assertThat(read(200, "RateLimit-Remaining", "5", "RateLimit-Reset", "9"))
                .isEqualTo(remaining(5, 9));
        assertThat(read(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "9"))
                .isEqualTo(remaining(0, 9));
        assertThat(read(200, "X-RateLimit-Remaining", "3, 0", "X-RateLimit-Reset", "1, 9"))
                .isEqualTo(remaining(0, 9));
        assertThat(read(200, "X-Rate-Limit-Remaining", "2", "X-Rate-Limit-Reset", "9"))
                .isEqualTo(remaining(2, 9));
        assertThat(read(200, "X-RateLimit-Remaining", "0")).isEqualTo(remaining(0));
        assertThat(read(200, "X-RateLimit-Remaining", "-3", "X-RateLimit-Reset", "9"))
                .isEqualTo(ServerLimits.NONE);
        assertThat(read(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "soon"))
                .isEqualTo(remaining(0));
    }

    @Test
    void rateLimit_dictionaryOfDraft7_isRead() {
        assertThat(read(200, "RateLimit", "limit=100, remaining=5, reset=9")).isEqualTo(remaining(5, 9));
    }

    @Test
    void separateHeaders_garbage_isLogged() {
        try (LogLines log = new LogLines("dev.weir.http")) {
            assertThat(read(200, "RateLimit-Remaining", "many", "RateLimit-Reset", "9"))
                    .isEqualTo(ServerLimits.NONE);
            assertThat(log.lines()).singleElement().asString().contains("is ignored: RateLimit-Remaining: many");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1795219217,17000",
        "1795219217500,17500",
        "1795219183,1000",
        "1795219216.123,17000",
        "2026-11-21T00:00:17Z,17000",
        "'Sat, 21 Nov 2026 00:00:17 GMT',17000"
    })
    void reset_asInstant_isCountedFromTheServersDate(String reset, long millis) {
        String date = "Sat, 21 Nov 2026 00:00:00 GMT"; // 1,795,219,200 s after the epoch

        assertThat(read(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset, "Date", date)
                        .exhaustedFor())
                .hasMillis(millis);
    }

    /** The forms that well-known providers and libraries use: the wait, the calls that remain, and the seconds until the reset. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Shopify | 429 | Retry-After: 2.0 | 2 | -",
                "Slack | 429 | Retry-After: 30 | 30 | -",
                "GitHub | 403 | Retry-After: 60 | 60 | -",
                "GitHub | 403 | X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1795219260 | 0 | 0 60",
                "GitLab | 429 | Retry-After: 60; RateLimit-Remaining: 0; RateLimit-Reset: 1795219260 | 60 | 0 60",
                "Discord | 429 | Retry-After: 65; X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1795219264.57 | 65 | 0 65",
                "X | 200 | X-Rate-Limit-Remaining: 179; X-Rate-Limit-Reset: 1795219500 | 0 | 179 300",
                "Reddit | 200 | X-RateLimit-Remaining: 598.0; X-RateLimit-Reset: 340 | 0 | 598 340",
                "express-rate-limit, draft 6 | 200 | RateLimit-Remaining: 99; RateLimit-Reset: 900 | 0 | 99 900",
                "express-rate-limit, draft 7 | 200 | RateLimit: limit=100, remaining=99, reset=900 | 0 | 99 900"
            })
    void responsesOfProviders_areRead(String provider, int status, String headers, long retryAfter, String quota) {
        List<String> all = new ArrayList<>(List.of("Date", "Sat, 21 Nov 2026 00:00:00 GMT"));
        for (String header : headers.split("; ", -1)) {
            all.addAll(List.of(header.split(": ", 2)));
        }
        String[] numbers = quota.split(" ", -1);
        ServerLimits expected = quota.equals("-")
                ? ServerLimits.NONE
                : remaining(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));

        assertThat(read(status, all.toArray(String[]::new)))
                .as(provider)
                .isEqualTo(blocked(retryAfter).and(expected));
    }

    @Test
    void reset_now_isASecondFromNow() {
        assertThat(read(200, "RateLimit", "\"a\";r=5;t=0")).isEqualTo(remaining(5, 1));
        assertThat(read(200, "X-RateLimit-Remaining", "5", "X-RateLimit-Reset", "0"))
                .isEqualTo(remaining(5, 1));
    }

    @Test
    void severalForms_strictestCounts() {
        assertThat(read(200, "RateLimit", "\"a\";r=5", "RateLimit-Remaining", "9", "X-RateLimit-Remaining", "4"))
                .isEqualTo(remaining(4));
        assertThat(read(429, "Retry-After", "5", "RateLimit", "\"a\";r=0;t=60"))
                .isEqualTo(blocked(5).and(remaining(0, 60)));
    }

    @Test
    void header_tooLong_isIgnored() {
        String item = "\"a\";r=1, ";

        assertThat(read(200, "RateLimit", item.repeat(500) + "\"b\";r=0;t=10"))
                .as("500 members are read")
                .isEqualTo(remaining(1).and(remaining(0, 10)));
        assertThat(read(200, "RateLimit", item.repeat(1_000_000) + "\"b\";r=0;t=10"))
                .isEqualTo(ServerLimits.NONE);
        assertThat(read(200, "X-RateLimit-Remaining", "0,".repeat(1_000_000) + "0"))
                .isEqualTo(ServerLimits.NONE);
        try (LogLines log = new LogLines("dev.weir.http")) {
            assertThat(read(429, "Retry-After", "1".repeat(1_000_000))).isEqualTo(ServerLimits.NONE);
            assertThat(log.lines()).singleElement().asString().contains("is ignored: Retry-After: 1");
        }
    }
}
