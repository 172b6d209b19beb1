package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests and answers as envoyproxy/ratelimit has them in its integration tests. */
final class EnvoyCasesTest extends ServerTest {
    private static final String BASIC = """
            domain: basic
            descriptors:
              - key: key1
                rate_limit:
                  unit: second
                  requests_per_unit: 50
            """;
    private static final String ANOTHER = """
            domain: another
            descriptors:
              - key: key2
                rate_limit:
                  unit: UNIT
                  requests_per_unit: 20
              - key: key3
                rate_limit:
                  unit: UNIT
                  requests_per_unit: 10
            """;

    @Test
    void basic_oneHit_isCounted() throws IOException {
        start(BASIC);

        RateLimitResponse response = envoy().send("basic", "key1=foo");

        assertThat(response.getOverallCode()).isEqualTo(Code.OK);
        assertThat(response.getStatusesList()).hasSize(1);
        DescriptorStatus status = response.getStatuses(0);
        assertThat(status.getCode()).isEqualTo(Code.OK);
        assertThat(status.getLimitRemaining()).isEqualTo(49);
        assertThat(status.getCurrentLimit())
                .isEqualTo(RateLimit.newBuilder()
                        .setRequestsPerUnit(50)
                        .setUnit(RateLimit.Unit.SECOND)
                        .build());
        assertThat(status.getDurationUntilReset().getSeconds()).isBetween(1L, 2L);
    }

    @Test
    void oneDescriptor_25Requests_5AreOverLimit() throws IOException {
        start(ANOTHER.replace("UNIT", "MINUTE"));

        for (int i = 1; i <= 25; i++) {
            assertThat(envoy().brief("another", "key2=r"))
                    .isEqualTo(i <= 20 ? "OK: OK " + (20 - i) : "OVER_LIMIT: OVER_LIMIT 0");
        }
    }

    @Test
    void twoDescriptors_secondDenies_firstTakesNothing() throws IOException {
        start(ANOTHER.replace("UNIT", "hour"));

        for (int i = 1; i <= 15; i++) {
            assertThat(envoy().brief("another", "key2=r", "key3=r"))
                    .isEqualTo(i <= 10 ? "OK: OK " + (20 - i) + ", OK " + (10 - i) : "OVER_LIMIT: OK 10, OVER_LIMIT 0");
        }
    }

    @Test
    void compatible_secondDenies_firstIsCounted() throws IOException {
        start(new ServerSettings().compatible(), ANOTHER.replace("UNIT", "year"));

        for (int i = 1; i <= 15; i++) {
            assertThat(envoy().brief("another", "key2=r", "key3=r"))
                    .isEqualTo(
                            i <= 10
                                    ? "OK: OK " + (20 - i) + ", OK " + (10 - i)
                                    : "OVER_LIMIT: OK " + (20 - i) + ", OVER_LIMIT 0");
        }
        assertThat(get("/metrics").body())
                .contains(
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"another.key2\"} 15.0",
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"another.key3\"} 10.0",
                        "weir_rule_decisions_total{outcome=\"denied\",rule=\"another.key3\"} 5.0");
    }

    @Test
    void sharedThreshold_otherFile_isOverLimit() throws IOException {
        start("""
                domain: share
                descriptors:
                  - key: path
                    value: files/*
                    share_threshold: true
                    rate_limit: {unit: hour, requests_per_unit: 10}
                """);

        assertThat(envoy().allowed("share", "path=files/a.pdf")).isEqualTo(10);

        assertThat(envoy().send("share", "path=files/b.csv").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(envoy().brief("share", "path=other")).isEqualTo("OK: OK 0");
    }

    /** A unit has the same number in the response and in the limit of a descriptor. */
    @ParameterizedTest
    @CsvSource({
        "second, 1, 1",
        "minute, 2, 60",
        "hour, 3, 3600",
        "day, 4, 86400",
        "month, 5, 2592000",
        "year, 6, 31536000",
        "week, 7, 604800"
    })
    void unit_hasItsNumberAndLength(String unit, int number, long seconds) throws IOException {
        start(BASIC.replace("second", unit).replace("50", "1"));

        DescriptorStatus configured = envoy().send("basic", "key1=foo").getStatuses(0);
        DescriptorStatus brought = envoy().send(EnvoyClient.request("basic")
                        .addDescriptors(EnvoyClient.limited("key1=foo", 1, number))
                        .build())
                .getStatuses(0);

        for (DescriptorStatus status : List.of(configured, brought)) {
            assertThat(status.getCurrentLimit().getUnitValue()).isEqualTo(number);
            assertThat(status.getDurationUntilReset().getSeconds()).isBetween(seconds - seconds / 100, seconds + 1);
        }
    }

    /** Envoy waits whole seconds, so a time that is rounded down would be too early. */
    @Test
    void threeAMinute_fourth_isOverLimit_untilTheMinuteHasPassed() throws IOException {
        start("""
                domain: simple
                descriptors:
                  - key: k
                    rate_limit: {unit: minute, requests_per_unit: 3}
                """);

        long began = System.nanoTime();
        assertThat(envoy().allowed("simple", "k=v")).isEqualTo(3);
        DescriptorStatus over = envoy().send("simple", "k=v").getStatuses(0);
        long elapsed = System.nanoTime() - began;

        long waiting = TimeUnit.SECONDS.toNanos(over.getDurationUntilReset().getSeconds());
        assertThat(waiting).isBetween(TimeUnit.MINUTES.toNanos(1) - elapsed, TimeUnit.SECONDS.toNanos(61));
    }

    @Test
    void requestThatIsNeverAllowed_hasNoDurationUntilReset() throws IOException {
        start(ANOTHER.replace("UNIT", "minute").replace("requests_per_unit: 20", "requests_per_unit: 0"));

        RateLimitResponse response = envoy().send(EnvoyClient.request("another", "key2=r")
                .addDescriptors(EnvoyClient.hits("key3=r", 11))
                .addDescriptors(EnvoyClient.hits("key3=other", 10))
                .build());

        assertThat(EnvoyClient.brief(response)).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OVER_LIMIT 0, OK 10");
        assertThat(response.getStatusesList())
                .extracting(DescriptorStatus::hasDurationUntilReset)
                .containsExactly(false, false, true);
    }
}
