package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rule a descriptor matches, and the key under which it is counted. */
final class EnvoyRulesTest extends ServerTest {
    private static final String NO_LIMIT = "OK: OK 0";

    @BeforeEach
    void start() throws IOException {
        start("""
                domain: d
                descriptors:
                  - key: k
                    rate_limit: {unit: day, requests_per_unit: 1000}
                  - key: k
                    value: a*b*c
                    rate_limit: {unit: day, requests_per_unit: 700}
                  - key: k
                    value: a*
                    rate_limit: {unit: day, requests_per_unit: 800}
                  - key: k
                    value: abc
                    rate_limit: {unit: day, requests_per_unit: 600}
                  - key: nested
                    descriptors:
                      - key: inner
                        rate_limit: {unit: day, requests_per_unit: 10}
                      - key: inner
                        value: deep
                        descriptors:
                          - key: most
                            rate_limit: {unit: day, requests_per_unit: 20}
                  - key: free
                    rate_limit: {unlimited: true}
                  - key: none
                    rate_limit: {unit: day, requests_per_unit: 0}
                  - key: window
                    rate_limit: {window: 30s, requests_per_unit: 5, algorithm: token-bucket burst=7, name: mine}
                  - key: queue
                    rate_limit: {unit: day, requests_per_unit: 5, algorithm: leaky-bucket}
                  - key: star
                    value: x*
                    descriptors:
                      - key: leaf
                        rate_limit: {unit: day, requests_per_unit: 3}
                  - key: stars
                    value: x*
                    share_threshold: true
                    descriptors:
                      - key: leaf
                        rate_limit: {unit: day, requests_per_unit: 3}
                  - key: empty
                    value: "*"
                    rate_limit: {unit: day, requests_per_unit: 9}
                """);
    }

    @ParameterizedTest
    @CsvSource({
        "k=abc, 599",
        "k=aXbXc, 699",
        "k=abbc, 699",
        "k=ab, 799",
        "k=a, 799",
        "k=b, 999",
        "k=, 999",
        "empty=, 8",
        "queue=x, 0",
        "empty=x, 8"
    })
    void match_prefersExactThenPatternsInOrderThenKey(String descriptor, int remaining) {
        assertThat(envoy().brief("d", descriptor)).isEqualTo("OK: OK " + remaining);
    }

    @ParameterizedTest
    @CsvSource({
        "nested=x, ''",
        "'nested=x,inner=y', 9",
        "'nested=x,inner=deep', ''",
        "'nested=x,inner=deep,most=z', 19",
        "'nested=x,inner=y,more=z', ''",
        "'k=abc,more=z', ''",
        "unknown=x, ''"
    })
    void match_depth_mustBeThatOfTheRule(String descriptor, String remaining) {
        assertThat(envoy().brief("d", descriptor)).isEqualTo(remaining.isEmpty() ? NO_LIMIT : "OK: OK " + remaining);
    }

    @Test
    void noMatch_hasNoLimit() {
        assertThat(envoy().send("d", "unknown=x").getStatuses(0).hasCurrentLimit())
                .isFalse();
        assertThat(envoy().brief("other", "k=abc")).isEqualTo(NO_LIMIT);
    }

    @Test
    void domains_areCountedSeparately() throws IOException {
        String rule = "domain: DOMAIN\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 3}}]\n";
        stop();
        Files.createDirectory(directory.resolve("domains"));
        Files.writeString(directory.resolve("domains/one.yaml"), rule.replace("DOMAIN", "one"));
        Files.writeString(directory.resolve("domains/other.yaml"), rule.replace("DOMAIN", "other"));
        start(new ServerSettings().configuration(directory.resolve("domains")));

        assertThat(envoy().allowed("one", "k=v")).isEqualTo(3);
        assertThat(envoy().allowed("other", "k=v")).isEqualTo(3);
        for (String domain : List.of("one", "other")) {
            RateLimitResponse own = envoy().send(EnvoyClient.request(domain)
                    .addDescriptors(EnvoyClient.limited("k=v", 2, RateLimit.Unit.DAY_VALUE))
                    .build());
            assertThat(EnvoyClient.brief(own)).isEqualTo("OK: OK 1");
        }
    }

    @Test
    void bareKey_countsEachValueSeparately() {
        assertThat(envoy().brief("d", "k=x")).isEqualTo("OK: OK 999");
        assertThat(envoy().brief("d", "k=y")).isEqualTo("OK: OK 999");
        assertThat(envoy().brief("d", "k=x")).isEqualTo("OK: OK 998");
    }

    @Test
    void pattern_countsEachValueSeparately_unlessShared() {
        assertThat(envoy().brief("d", "star=x1,leaf=l")).isEqualTo("OK: OK 2");
        assertThat(envoy().brief("d", "star=x2,leaf=l")).isEqualTo("OK: OK 2");
        assertThat(envoy().brief("d", "stars=x1,leaf=l")).isEqualTo("OK: OK 2");
        assertThat(envoy().brief("d", "stars=x2,leaf=l")).isEqualTo("OK: OK 1");
        assertThat(envoy().brief("d", "stars=x2,leaf=m")).isEqualTo("OK: OK 2");
    }

    @Test
    void valuesWithSeparators_areNotConfused() {
        assertThat(envoy().brief("d", "nested=x,inner=y\\,z")).isEqualTo("OK: OK 9");
        assertThat(envoy().brief("d", "nested=x\\,inner\\=y,inner=z")).isEqualTo("OK: OK 9");
    }

    @Test
    void longValues_areLimitedAndDistinguished() {
        String longValue = "k=" + "v".repeat(20_000);

        assertThat(envoy().brief("d", longValue)).isEqualTo("OK: OK 999");
        assertThat(envoy().brief("d", longValue + "1")).isEqualTo("OK: OK 999");
        assertThat(envoy().brief("d", longValue)).isEqualTo("OK: OK 998");
    }

    @Test
    void unlimited_saysSo() {
        assertThat(envoy().brief("d", "free=x")).isEqualTo("OK: OK 4294967295");
        assertThat(envoy().send("d", "free=x").getStatuses(0).hasCurrentLimit()).isFalse();
    }

    @Test
    void zeroRequests_deniesEverything() {
        assertThat(envoy().brief("d", "none=x")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(envoy().brief("d", "none=x", "k=x")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 1000");
        assertThat(envoy().brief("d", "none=x", "none=x")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OVER_LIMIT 0");
    }

    @Test
    void window_andAlgorithm_decide() {
        RateLimit shown = envoy().send("d", "window=x").getStatuses(0).getCurrentLimit();

        assertThat(shown.getUnit()).isEqualTo(RateLimit.Unit.UNKNOWN);
        assertThat(shown.getName()).isEqualTo("mine");
        assertThat(envoy().allowed("d", "window=x")).isEqualTo(6);
    }

    @Test
    void sameDescriptorTwice_countsTwice() {
        assertThat(envoy().brief("d", "k=x", "k=x")).isEqualTo("OK: OK 998, OK 998");
        assertThat(envoy().brief("d", "k=y", "k=x", "k=x")).isEqualTo("OK: OK 999, OK 996, OK 996");
    }

    @Test
    void manyDescriptors_areAllOrNothing() {
        List<String> all = List.of("nested=x,inner=y", "k=p", "k=q", "unknown=z", "free=f");
        for (int i = 0; i < 10; i++) {
            assertThat(envoy().send("d", all.toArray(String[]::new)).getOverallCode())
                    .isEqualTo(Code.OK);
        }

        assertThat(envoy().brief("d", all.toArray(String[]::new)))
                .isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 990, OK 990, OK 0, OK 4294967295");
        assertThat(envoy().brief("d", "k=p")).isEqualTo("OK: OK 989");
    }
}
