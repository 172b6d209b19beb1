package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFormatTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "combined", "csv", "jsonl", "alb", "iis", "regex:(?<key>\\S+) (?<time>.*)"})
    void parse_format_toStringReturnsIt(String text) {
        assertThat(LogFormat.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "json", "CSV", "regex", " csv"})
    void parse_unknown_reportsWhatIsAccepted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogFormat.parse(text))
                .withMessage(
                        "format must be auto, combined, csv, jsonl, alb, cloudfront, elb, s3, caddy, traefik, envoy, istio,"
                                + " haproxy, squid, iis or regex:PATTERN, was '" + text + "'");
    }

    @Test
    void parse_brokenPattern_reportsWhere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogFormat.parse("regex:(?<key>a(b"))
                .withMessage("format regex: Unclosed group at position 10 of '(?<key>a(b'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"regex:(?<key>.*)", "regex:", "regex:\\(?<time>(?<key>.*)", "regex:\\Q(?<time>\\E(?<key>.*)"})
    void parse_patternWithoutTime_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogFormat.parse(text))
                .withMessageContaining("has no 'time'");
    }

    @Test
    void parse_patternWithoutKey_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogFormat.parse("regex:(?<time>.*)"))
                .withMessage(
                        "format regex: needs the groups (?<time>...) and (?<key>...), has no 'key' in '(?<time>.*)'");
    }

    @Test
    void hasGroup_patternWithComment_isNotMisled() {
        Pattern pattern = Pattern.compile("(?x) (?<time>a) # (?<key>b)");

        assertThat(LogFormat.hasGroup(pattern, "time")).isTrue();
        assertThat(LogFormat.hasGroup(pattern, "key")).isFalse();
    }
}
