package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class W3cParserTest {
    @Test
    void read_w3cWithNewFields_followsThem() throws IOException {
        String log =
                PresetTest.IIS + "#Fields: c-ip date time\n198.51.100.7 2026-11-21 10:00:05\n198.51.100.7 10:00:06\n";
        try (Trace trace = Logs.read(log, Logs.options("iis", "ip"))) {
            assertThat(trace.requests()).isEqualTo(3);
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::reason)
                    .containsExactly("2 fields where #Fields names 3");
        }
    }

    @Test
    void read_w3cWithoutFields_isReported() {
        assertThatThrownBy(() -> PresetTest.events("iis", "ip", "2026-11-21 10:00:01 10.0.0.5\n"))
                .hasMessageContaining("no #Fields line before it");
        assertThatThrownBy(() -> PresetTest.events("iis", "ip", "#Fields: date time\n2026-11-21 10:00:01\n"))
                .hasMessage("the log's only line cannot be used, read as iis; line 2: no address: 2026-11-21 10:00:01;"
                        + " the #Fields line of IIS has no column 'c-ip' for the key, only: date, time");
    }

    @Test
    void read_w3cWhoseFieldsChange_skipsTheLinesWithoutTheKey() throws IOException {
        String before = "#Fields: date time c-ip\n2026-11-21 09:00:01 203.0.113.9\n2026-11-21 09:00:02 203.0.113.9\n";
        for (String log : List.of(before + PresetTest.IIS, PresetTest.IIS + before)) {
            try (Trace trace = Logs.read(log, Logs.options("auto", "cs-username"))) {
                assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("EXAMPLE\\ann");
                assertThat(trace.skipped()).isEqualTo(3);
                assertThat(trace.hint()).startsWith("the #Fields line of IIS has no column 'cs-username' for the key");
            }
        }
    }

    @Test
    void read_w3cWithoutAFieldThatIsTheKey_namesTheFields() {
        assertThatThrownBy(() -> PresetTest.events("auto", "cs-user", PresetTest.IIS))
                .hasMessageStartingWith(
                        "none of the log's 2 lines can be used, read as iis; line 5: no value in field 'cs-user': ")
                .hasMessageContaining(
                        "; the #Fields line of IIS has no column 'cs-user' for the key, only: date, time");
    }

    @Test
    void read_w3cWithHeadersOnly_isReported() {
        String headers = PresetTest.IIS.substring(0, PresetTest.IIS.indexOf("2026-11-21 10:00:01"));

        assertThatThrownBy(() -> PresetTest.events("auto", "ip", headers))
                .isInstanceOf(LogException.class)
                .hasMessage("the log has no requests, only blank lines and headers");
    }

    /** A log of CloudFront with chosen fields may lack the one that it is detected by. */
    @Test
    void read_tabsOrSpaces_separateAsTheyDoFirst() throws IOException {
        String log = """
                #Fields: date time c-ip cs(User-Agent)
                2026-11-21\t10:00:01\t203.0.113.9\tMozilla 5
                2026-11-21\t10:00:02\t203.0.113.9\t"Mozilla	5"
                2026-11-21 10:00:03 203.0.113.9 a\tb
                """;

        for (String format : List.of("auto", "iis", "cloudfront")) {
            assertThat(PresetTest.keys(format, "cs(User-Agent)", log))
                    .containsExactly("Mozilla 5", "Mozilla\t5", "a\tb");
        }
    }

    @Test
    void read_firstValueInQuotes_isFollowedByTheSeparator() throws IOException {
        String log = "#Fields: cs(User-Agent) date time c-ip\n\"Mozilla 5\"\t2026-11-21\t10:00:01\t203.0.113.9\n";

        assertThat(PresetTest.keys("iis", "ip", log)).containsExactly("203.0.113.9");
    }

    @Test
    void read_quotes_holdSpacesIfTheColumnsFitThen() throws IOException {
        String log = """
                #Fields: date time c-ip cs(User-Agent) X-Forwarded-For
                2026-11-21 10:00:01 203.0.113.9 "Mozilla/5.0 (""X11"")" "198.51.100.7"
                2026-11-21 10:00:02 203.0.113.9 curl/8 "198.51.100.7"
                2026-11-21 10:00:03 203.0.113.9 "curl 198.51.100.8
                2026-11-21 10:00:04 203.0.113.9 "curl" a"b
                """;

        assertThat(PresetTest.keys("iis", "X-Forwarded-For", log))
                .containsExactly("198.51.100.7", "198.51.100.7", "198.51.100.8", "a\"b");
        assertThat(PresetTest.keys("iis", "ip", log)).hasSize(4).containsOnly("203.0.113.9");
    }
}
