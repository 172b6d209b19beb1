package dev.weir.server.config;

import static dev.weir.server.config.ConfigurationReaderTest.problems;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Usual mistakes in files of envoyproxy/ratelimit: each is reported once, with what to write instead. */
final class ConfigurationMistakesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- domain: d                            | 1:1: a configuration must be a mapping",
                "'{domain: d, descriptors: [a]}'        | 1:27: an element of descriptors must be a mapping",
                "rate_limit: 10/minute                  | 1:48: rate_limit must be a mapping",
                "'rate_limit: [{unit: day}]'            | 1:48: rate_limit must be a mapping",
                "'rate_limit: {unit: day, requests_per_unit: 1, replaces: [b]}' | 1:93: an element of replaces must be a mapping",
                "'rate_limit: {unit: day, requests_per_unit: {{ limit }}}' |"
                        + " 1:79: requests_per_unit must be a whole number from 0 to 4294967295, was a mapping",
                "'shadow_mode: {{ shadow }}'            | 1:49: shadow_mode must be true or false, was a mapping",
                "'value: [a, b]'                        | 1:43: value must be a text, was a list",
                "'rate_limit: {unit: day, requests_per_unit: 0100}' |"
                        + " 1:79: requests_per_unit must be a whole number from 0 to 4294967295 without leading zeros, was '0100'"
            })
    void valueOfAnotherKind_isTheOnlyProblem(String text, String problem) {
        String file = text.contains("domain") ? text : "{domain: d, descriptors: [{key: a, " + text + "}]}";

        assertThat(problems(file)).containsExactly("a.yaml:" + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{limits: {b: c}}'    | 1:24: limits must be a text or a list of texts, was a mapping",
                "'{limits: [[3/1m]]}'  | 1:25: limits must be a text or a list of texts, was a list",
                "'{candidate: 3/1m}'   | 1:15: limits is missing",
                "'{limits: }'          | 1:23: limits must not be empty"
            })
    void limitsOfAPolicy_thatAreNone_areTheOnlyProblem(String policy, String problem) {
        assertThat(problems("policies: {a: " + policy + "}")).containsExactly("a.yaml:" + problem);
    }

    @Test
    void keyInTheWrongPlace_isReportedWithTheRightOne() {
        assertThat(problems("""
                        domain: d
                        descriptors:
                          - key: a
                            rate_limit: {unit: day, requests_per_unit: 1, shadow_mode: true}
                          - key: b
                            rate_limit:
                            unit: day
                        """))
                .containsExactly(
                        "a.yaml:4:51: key 'shadow_mode' belongs next to rate_limit, not under it",
                        "a.yaml:7:5: key 'unit' belongs under rate_limit");
    }

    @Test
    void objectOfKubernetes_isTheOnlyProblem() {
        assertThat(problems("apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: |\n    domain: d\n"))
                .containsExactly("a.yaml:1:1: this is an object of Kubernetes (ConfigMap); a configuration begins with"
                        + " domain, such as the text under data in a ConfigMap");
    }
}
