package dev.weir.server;

import static dev.weir.server.EnvoyClient.brief;
import static dev.weir.server.EnvoyClient.hits;
import static dev.weir.server.EnvoyClient.limited;
import static dev.weir.server.EnvoyClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shadow and quota mode, rules that replace others, numbers of hits, and limits in requests. */
final class EnvoyModesTest extends ServerTest {
    private static final String RULES = """
            domain: d
            descriptors:
              - key: live
                rate_limit: {unit: day, requests_per_unit: 5}
              - key: shadow
                shadow_mode: true
                rate_limit: {unit: day, requests_per_unit: 2}
              - key: quota1
                quota_mode: true
                rate_limit: {unit: day, requests_per_unit: 1}
              - key: quota2
                quota_mode: true
                rate_limit: {unit: day, requests_per_unit: 3}
              - key: named
                rate_limit: {unit: day, requests_per_unit: 5, name: basic}
              - key: better
                rate_limit:
                  unit: day
                  requests_per_unit: 9
                  replaces: [{name: basic}]
            """;

    private String send(RateLimitRequest.Builder request) {
        return brief(envoy().send(request.build()));
    }

    @Test
    void blockedDescriptor_othersHaveRoom_isTheOnlyOneOver() throws IOException {
        start(RULES);
        http("PUT", "/v1/keys/live=x/block?domain=d&for=10m", "");

        assertThat(envoy().brief("d", "named=y", "live=x")).isEqualTo("OVER_LIMIT: OK 5, OVER_LIMIT 0");
    }

    @Test
    void shadowRule_over_isOk() throws IOException {
        start(RULES);

        assertThat(envoy().brief("d", "shadow=x")).isEqualTo("OK: OK 1");
        assertThat(envoy().brief("d", "shadow=x")).isEqualTo("OK: OK 0");
        assertThat(envoy().brief("d", "shadow=x")).isEqualTo("OK: OK 0");
    }

    @Test
    void shadowRule_over_liveRuleKeepsCounting() throws IOException {
        start(RULES);

        for (int i = 4; i >= 0; i--) {
            assertThat(envoy().brief("d", "live=x", "shadow=x"))
                    .isEqualTo("OK: OK " + i + ", OK " + Math.max(0, i - 3));
        }
        assertThat(envoy().brief("d", "live=x", "shadow=y")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 2");
        assertThat(envoy().brief("d", "shadow=y")).isEqualTo("OK: OK 1");
    }

    /** Each live descriptor alone would fit. */
    @Test
    void shadowRule_liveHitsDoNotFitTogether_areOver() throws IOException {
        start(RULES);

        assertThat(send(request("d", "shadow=x")
                        .addDescriptors(hits("live=x", 3))
                        .addDescriptors(hits("live=x", 3))))
                .isEqualTo("OVER_LIMIT: OK 2, OVER_LIMIT 0, OVER_LIMIT 0");
    }

    @Test
    void shadowRules_neverChangeWhatLiveRulesDecide() throws IOException {
        String live = """
                domain: DOMAIN
                descriptors:
                  - key: a
                    rate_limit: {unit: day, requests_per_unit: 80}
                  - key: b
                    rate_limit: {unit: day, requests_per_unit: 90, algorithm: gcra burst=85}
                """;
        String shadows = """
                  - key: c
                    shadow_mode: true
                    rate_limit: {unit: day, requests_per_unit: 3}
                """;
        Files.writeString(directory.resolve("without.yaml"), live.replace("DOMAIN", "without"));
        Files.writeString(directory.resolve("with.yaml"), live.replace("DOMAIN", "with") + shadows);
        start(new ServerSettings().configuration(directory));
        Random random = new Random(1);
        int denied = 0;
        for (int i = 0; i < 300; i++) {
            String a = "a=" + random.nextInt(3);
            String b = "b=" + random.nextInt(3);
            int hits = random.nextInt(1, 4);
            RateLimitResponse expected =
                    envoy().send(request("without", a, b).setHitsAddend(hits).build());
            RateLimitResponse shadowed = envoy().send(
                            request("with", a, b, "c=x").setHitsAddend(hits).build());
            assertThat(shadowed.getOverallCode()).isEqualTo(expected.getOverallCode());
            assertThat(brief(shadowed)).startsWith(brief(expected));
            denied += expected.getOverallCode() == Code.OVER_LIMIT ? 1 : 0;
        }
        assertThat(denied).isBetween(50, 250);
    }

    @Test
    void quotaRules_oneHasRoom_isOk() throws IOException {
        start(RULES);

        assertThat(envoy().brief("d", "quota1=x", "quota2=x")).isEqualTo("OK: OK 0, OK 2");
        assertThat(envoy().brief("d", "quota1=x", "quota2=x")).isEqualTo("OK: OVER_LIMIT 0, OK 1");
        assertThat(envoy().brief("d", "quota1=x", "quota2=x")).isEqualTo("OK: OVER_LIMIT 0, OK 0");
        assertThat(envoy().brief("d", "quota1=x", "quota2=x")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OVER_LIMIT 0");
    }

    @Test
    void quotaRules_allOver_permitOfLiveRuleIsRefunded() throws IOException {
        start(RULES);

        assertThat(envoy().brief("d", "live=x", "quota1=x")).isEqualTo("OK: OK 4, OK 0");
        assertThat(envoy().send("d", "live=x", "quota1=x").getOverallCodeValue())
                .isEqualTo(2);
        assertThat(envoy().brief("d", "live=x")).isEqualTo("OK: OK 3");
    }

    @Test
    void quotaRules_allOver_statusOfLiveRuleIsAfterTheRefund() throws IOException {
        start(RULES);
        assertThat(envoy().brief("d", "quota1=x")).isEqualTo("OK: OK 0");

        RateLimitResponse response =
                envoy().send(request("d", "live=x", "quota1=x").setHitsAddend(4).build());

        assertThat(brief(response)).isEqualTo("OVER_LIMIT: OK 5, OVER_LIMIT 0");
        assertThat(response.getStatuses(0).getDurationUntilReset().getSeconds()).isZero();
    }

    @Test
    void quotaRules_allOver_liveRuleThatKeepsTheAttempt_doesNotDeny() throws IOException {
        start(RULES + """
                  - key: attempts
                    rate_limit: {unit: day, requests_per_unit: 1, algorithm: sliding-log count=attempts}
                """);
        assertThat(envoy().brief("d", "quota1=x")).isEqualTo("OK: OK 0");

        assertThat(envoy().brief("d", "attempts=x", "quota1=x")).isEqualTo("OVER_LIMIT: OK 0, OVER_LIMIT 0");
        assertThat(get("/metrics").body()).doesNotContain("outcome=\"denied\",rule=\"d.attempts\"} 1.0");
    }

    @Test
    void quotaRule_liveDenies_takesNothing() throws IOException {
        start(RULES);
        assertThat(envoy().allowed("d", "live=x")).isEqualTo(5);

        assertThat(envoy().brief("d", "live=x", "quota2=x")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 3");
    }

    @Test
    void replaced_ruleIsDropped() throws IOException {
        start(RULES);

        assertThat(envoy().brief("d", "named=x")).isEqualTo("OK: OK 4");
        assertThat(envoy().brief("d", "named=x", "better=x")).isEqualTo("OK: OK 0, OK 8");
        assertThat(envoy().brief("d", "named=x")).isEqualTo("OK: OK 3");
    }

    @Test
    void shadowForAll_over_onlyOverallCodeIsOk() throws IOException {
        start(new ServerSettings().shadow(), RULES);

        for (int i = 4; i >= 0; i--) {
            assertThat(envoy().brief("d", "live=x")).isEqualTo("OK: OK " + i);
        }
        assertThat(envoy().brief("d", "live=x")).isEqualTo("OK: OVER_LIMIT 0");
    }

    @Test
    void hits_ofRequestAndDescriptor_areCounted_andNoneRemainIfOver() throws IOException {
        start(RULES);

        assertThat(send(request("d", "live=x").setHitsAddend(3))).isEqualTo("OK: OK 2");
        assertThat(send(request("d", "live=x").setHitsAddend(3))).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(send(request("d").addDescriptors(hits("live=x", 2)).setHitsAddend(5)))
                .isEqualTo("OK: OK 0");
    }

    @Test
    void zeroHits_ofDescriptor_takesNothing() throws IOException {
        start(RULES);
        RateLimitRequest.Builder peek = request("d").addDescriptors(hits("live=x", 0));

        assertThat(send(peek)).isEqualTo("OK: OK 5");
        assertThat(send(peek)).isEqualTo("OK: OK 5");
        assertThat(envoy().allowed("d", "live=x")).isEqualTo(5);
        assertThat(send(peek)).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(send(peek.clone().addDescriptors(hits("named=x", 1)))).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 5");
    }

    @Test
    void zeroHits_over_denialsOfOtherLiveRulesAreCounted() throws IOException {
        start(RULES);
        assertThat(envoy().allowed("d", "live=x")).isEqualTo(5);
        assertThat(envoy().allowed("d", "named=x")).isEqualTo(5);

        assertThat(send(request("d")
                        .addDescriptors(hits("live=x", 0))
                        .addDescriptors(hits("named=x", 1))
                        .addDescriptors(hits("live=y", 1))))
                .isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OVER_LIMIT 0, OK 5");

        assertThat(get("/metrics").body())
                .contains(
                        "weir_rule_decisions_total{outcome=\"denied\",rule=\"d.live\"} 1.0",
                        "weir_rule_decisions_total{outcome=\"denied\",rule=\"d.named\"} 2.0");
    }

    @ParameterizedTest
    @CsvSource({"4294967295", "9223372036854775807", "-1"})
    void hugeHits_areOverLimitAndCountNothing(long hits) throws IOException {
        start(RULES);

        assertThat(send(request("d").addDescriptors(hits("live=x", hits)))).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(send(request("d").addDescriptors(hits("live=x", hits)).addDescriptors(hits("live=x", hits))))
                .isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OVER_LIMIT 0");
        assertThat(envoy().brief("d", "live=x")).isEqualTo("OK: OK 4");
    }

    @Test
    void override_replacesTheConfiguredLimit() throws IOException {
        start(RULES);
        RateLimitRequest.Builder override = request("d").addDescriptors(limited("live=x", 2, 4));

        assertThat(send(override)).isEqualTo("OK: OK 1");
        assertThat(envoy().send(override.build())
                        .getStatuses(0)
                        .getCurrentLimit()
                        .getRequestsPerUnit())
                .isEqualTo(2);
        assertThat(send(override)).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(send(request("d").addDescriptors(limited("shadow=x", 0, 4)))).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
        assertThat(send(request("d").addDescriptors(limited("any=x", 9, 7)))).isEqualTo("OK: OK 8");
        assertThat(send(request("unknown").addDescriptors(limited("live=x", 2, 4))))
                .isEqualTo("OK: OK 0");
    }

    @Test
    void override_modesAndReplacesOfTheRule_doNotApply() throws IOException {
        start(RULES);

        assertThat(send(request("d").addDescriptors(limited("quota1=x", 0, 4)).addDescriptors(hits("quota2=x", 1))))
                .isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 3");
        assertThat(send(request("d").addDescriptors(limited("better=x", 7, 4)).addDescriptors(hits("named=x", 1))))
                .isEqualTo("OK: OK 6, OK 4");
    }

    @Test
    void compatible_quotaRules_denyIfAllAreOver() throws IOException {
        start(new ServerSettings().compatible(), RULES);

        assertThat(envoy().brief("d", "quota1=x", "quota2=x")).isEqualTo("OK: OK 0, OK 2");
        assertThat(envoy().brief("d", "quota1=x", "quota2=x")).isEqualTo("OK: OVER_LIMIT 0, OK 1");
        assertThat(envoy().brief("d", "quota1=x", "live=x")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 4");
        assertThat(get("/metrics").body())
                .as("a rule that took a permit of a denied request")
                .contains("weir_rule_decisions_total{outcome=\"allowed\",rule=\"d.live\"} 1.0");
    }

    @Test
    void override_manyDifferentOnes_areAllCounted() throws IOException {
        start(RULES);

        for (int first = 1; first <= 2_100; first += 50) {
            RateLimitRequest.Builder request = request("d");
            StringJoiner statuses = new StringJoiner(", ", "OK: ", "");
            for (int i = first; i < first + 50; i++) {
                request.addDescriptors(limited("any=" + i, i, 4));
                statuses.add("OK " + (i - 1));
            }
            assertThat(send(request)).isEqualTo(statuses.toString());
        }
    }

    @Test
    void override_changes_stateIsCarriedOver() throws IOException {
        start(RULES);
        assertThat(send(request("d").addDescriptors(limited("any=x", 2, 4)))).isEqualTo("OK: OK 1");

        assertThat(send(request("d").addDescriptors(limited("any=x", 10, 4)))).isEqualTo("OK: OK 8");
    }

    @Test
    void invalidRequests_areRefusedAndSayWhy() throws IOException {
        start(RULES);
        RateLimitRequest.Builder many = request("d");
        for (int i = 0; i < 64; i++) {
            many.addDescriptors(hits("live=" + i, 1));
        }
        assertThat(send(many)).startsWith("OK: ");
        many.addDescriptors(hits("live=64", 1));

        assertRefused(request("", "live=x"), "rate limit domain must not be empty");
        assertRefused(request("d"), "rate limit descriptor list must not be empty");
        assertRefused(many, "rate limit descriptors must be at most 64, were 65");
        assertRefused(
                request("d").addDescriptors(limited("live=x", 2, 0)), "the limit of a descriptor must have a unit");
        assertRefused(
                request("d").addDescriptors(limited("a=x", 2, 4)).addDescriptors(limited("a=x", 3, 4)),
                "descriptors of a request are equal but have different limits");
    }

    private void assertRefused(RateLimitRequest.Builder request, String why) {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> envoy().send(request.build()))
                .satisfies(refusal -> {
                    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                    assertThat(refusal.getStatus().getDescription()).isEqualTo(why);
                });
    }
}
