package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys {@code ip} and {@code user} in formats with named fields. */
class ClientFieldTest {
    private static final String OK = "192.0.2.1";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nginx unix:",
                "for=203.0.113.9;proto=https",
                "203.0.113.9 10.0.0.1",
                "2026-11-21",
                "true",
                "5",
                "1.5e3",
                "nginx",
                "localhost",
                "nginx.",
                "nginx.1a", // a version, not a domain
                "user@example.com",
                "203.0.113.999"
            })
    void read_fieldWithoutClient_isSkippedWithAHint(String client) throws IOException {
        for (Trace trace : List.of(csv("ip", client), jsonl("ip", '"' + client + '"'), caddy(client))) {
            try (trace) {
                assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(OK);
                assertThat(trace.firstSkipped())
                        .extracting(SkippedLine::reason)
                        .containsExactly("no address or host name where the client is expected");
                assertThat(trace.hint()).isEqualTo("--key FIELD counts by any other field as it is");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "5", "1.5e3", "-7"})
    void read_jsonClientThatIsNoText_isSkipped(String client) throws IOException {
        try (Trace trace = jsonl("ip", client)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(OK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "unknown", "unix:"})
    void read_fieldOfUnknownClient_isSkipped(String client) throws IOException {
        for (Trace trace : List.of(csv("ip", client), jsonl("ip", '"' + client + '"'), caddy(client))) {
            try (trace) {
                assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(OK);
                assertThat(trace.firstSkipped()).extracting(SkippedLine::reason).containsExactly("no address");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9:51234,203.0.113.9",
        "[2001:db8::9]:443,2001:db8::9",
        "2001:db8::9,2001:db8::9",
        "www.example.com,www.example.com",
        "web-1.example,web-1.example",
        "ä.example.,ä.example.",
        "' 203.0.113.9 ',203.0.113.9"
    })
    void read_fieldWithClient_isItsBareAddressOrName(String client, String key) throws IOException {
        for (Trace trace : List.of(csv("ip", client), jsonl("ip", '"' + client + '"'), caddy(client))) {
            try (trace) {
                assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(OK, key);
            }
        }
    }

    @Test
    void read_otherField_isTakenAsItIs() throws IOException {
        for (String key : List.of("-", "nginx unix:", "203.0.113.9:51234")) {
            for (Trace trace : List.of(csv("host", key), jsonl("host", '"' + key + '"'))) {
                try (trace) {
                    assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(OK, key);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "unknown"})
    void read_otherFieldWithAChoice_isNoClientIfUnknown(String client) throws IOException {
        LogOptions options = LogOptions.builder()
                .format(LogFormat.JSONL)
                .key("forwarded")
                .client(ClientChoice.fromRight(1))
                .build();
        String line = "{\"time\":1,\"forwarded\":\"%s\"}\n";

        try (Trace trace = Logs.read(line.formatted("203.0.113.9:51234") + line.formatted(client), options)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("203.0.113.9");
            assertThat(trace.firstSkipped()).extracting(SkippedLine::reason).containsExactly("no address");
        }
    }

    @Test
    void read_userHyphen_isNoUser() throws IOException {
        for (Trace trace : List.of(csv("user", "-"), jsonl("user", "\"-\""))) {
            try (trace) {
                assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(OK);
                assertThat(trace.firstSkipped())
                        .extracting(SkippedLine::reason)
                        .containsExactly("no value in field 'user'");
            }
        }
    }

    private static Trace csv(String key, String value) throws IOException {
        return Logs.read("time," + key + "\n1," + OK + "\n1," + value + "\n", Logs.options("csv", key));
    }

    private static Trace jsonl(String key, String json) throws IOException {
        String line = "{\"time\":1,\"" + key + "\":%s}\n";
        return Logs.read(line.formatted('"' + OK + '"') + line.formatted(json), Logs.options("jsonl", key));
    }

    private static Trace caddy(String client) throws IOException {
        String line = "{\"ts\":1,\"request\":{\"client_ip\":\"%s\"}}\n";
        return Logs.read(line.formatted(OK) + line.formatted(client), Logs.options("caddy", "ip"));
    }
}
