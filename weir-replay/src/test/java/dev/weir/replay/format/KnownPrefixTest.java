package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client behind every prefix that is known, and none behind one that is not. */
class KnownPrefixTest {
    private static final String QUOTED = Logs.LINE.replace("\"", "\\\"");

    private static final List<String> CLIENTS = List.of("83.149.9.216", "2001:db8::1", "pool-7.example.net");
    private static final List<String> USERS = List.of("-", "frank", "John Doe");
    private static final List<String> GAPS =
            List.of(" ", " ", " ", "  ", ": ", ", ", " - ", " | ", "\t", "[", "] ", "\" ");
    private static final List<String> WORDS = List.of(
            "Nov",
            "21",
            "10:00:00",
            "2026-11-21",
            "2026-11-21T10:00:00Z",
            "host",
            "www.example.com",
            "www.example.com:443",
            "10.0.0.1",
            "10.0.0.1:80",
            "[2001:db8::9]:80",
            "2001:db8::9",
            "nginx",
            "nginx[12]",
            "INFO",
            "[info]",
            "web-1",
            "stdout",
            "F",
            "pod/x/y",
            "<190>",
            "<190>1",
            "-",
            "\"",
            "{",
            "unix:",
            "unknown",
            "PROXY",
            "TCP4",
            "frank",
            "level=info",
            "\u001b[36m",
            "|",
            "[",
            "x=y",
            "GET",
            "/",
            "1795255200.123",
            "\u00e4");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[31mweb-7d4f9-x2x4z\u001b[0m \u001b[32mnginx\u001b[0m 83.149.9.216",
                "\u001b[1;36m83.149.9.216\u001b[0m",
                "\u001b[36mweb-1  |\u001b[0m \u001b[33m83.149.9.216\u001b[m"
            })
    void colours_aroundPrefixAndClient_areReadThrough(String head) throws IOException {
        assertClient(head + Logs.LINE.substring(Logs.LINE.indexOf(' ')), "83.149.9.216");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void example_inFrontOfALine_isReadThrough(String example) throws IOException {
        assertClient(example + Logs.LINE, "83.149.9.216");
    }

    static Stream<String> examples() {
        return KnownPrefix.ALL.stream()
                .map(prefix ->
                        new String(prefix.example().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    @Test
    void examples_eachEntry_endWhereTheirPatternsEnd() {
        assertThat(KnownPrefix.ALL).allSatisfy(prefix -> {
            assertThat(prefix.source()).isNotEmpty();
            var matcher = prefix.pattern().matcher(prefix.example() + "83.149.9.216");
            assertThat(matcher.lookingAt()).isTrue();
            assertThat(matcher.end()).isEqualTo(prefix.example().length());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nov 21 10:00:00 host nginx: ",
                "Nov 21 10:00:00 host ",
                "Nov  1 10:00:00 host nginx[123]: ",
                "<190>Nov 21 10:00:00 host nginx: ",
                "<190>Nov 21 10:00:00 nginx: ",
                "Nov 21 10:00:00.123456 web-1.example.net nginx[123]: ",
                "2026-11-21T10:00:00+0000 host nginx[123]: ",
                "2026-11-21T10:00:00.123456+00:00 host nginx: ",
                "Sat 2026-11-21 10:00:00 UTC host nginx[123]: ",
                "Sat 2026-11-21 10:00:00 CET host nginx[123]: ",
                "Sat 2026-11-21 10:00:00 -03 host nginx[123]: ",
                "1795255200.123456 host nginx[123]: ",
                "<190>1 2026-11-21T10:00:00.5Z host nginx 12 - - ",
                "<190>1 2026-11-21T10:00:00Z host nginx - ID47 [a@1 k=\"v\"][b@1 k=\"\\]\"] ",
                "<190>1 2026-11-21T10:00:00Z host nginx 12 - - \uFEFF",
                "web-1  | ",
                "web-1  | 2026-11-21T10:00:00.123456789Z ",
                "\u001b[36mweb-1  | \u001b[0m",
                "\u001b[36mweb-1  |\u001b[0m ",
                "web.1.x2k@node-1    | ",
                "2026-11-21T10:00:00.123456789Z ",
                "2026-11-21T10:00:00.123456789Z stdout F ",
                "2026-11-21T10:00:00.123456789+02:00 stderr P ",
                "[pod/web-7d4f9/nginx] ",
                "[pod/web-7d4f9/nginx] 2026-11-21T10:00:00Z ",
                "web-7d4f9-x2x4z nginx ",
                "web-7d4f9-x2x4z nginx 2026-11-21T10:00:00Z ",
                "2026-11-21T10:00:00.123456+00:00 app[web.1]: ",
                "10:00:00 web.1  | ",
                "INFO ",
                "[info] ",
                "info: ",
                "level=info ",
                "2026-11-21 10:00:00,123 INFO ",
                "www.example.com ",
                "www.example.com:443 ",
                "10.0.0.80:80 ",
                "web-1 ",
                "\uFEFF",
                "  ",
                "\t",
                "\"",
                "web-1  | Nov 21 10:00:00 host nginx: INFO www.example.com:80 "
            })
    void read_knownPrefix_isNotTheClient(String prefix) throws IOException {
        assertClient(prefix + Logs.LINE, "83.149.9.216");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nov 21 ",
                "request from ",
                "app [access] ",
                "10.0.0.1 ",
                "10.0.0.1 | ",
                "10.0.0.1: ",
                "my-shop.example.com 10.0.0.1 ",
                "my-shop.example.com client.example.org ",
                "my-shop.example.com localhost ",
                "my-shop.example.com unknown ",
                "- ",
                "10.0.0.1 - ",
                "10.0.0.1 - - ",
                "web-1 - ",
                "web-1 - frank ",
                "PROXY TCP4 203.0.113.9 10.0.0.1 56324 443 ",
                "GET / ",
                "www.example.com 10.0.0.1 ",
                "\"10.0.0.1\" ",
                "10.0.0.1:80 10.0.0.2 ",
                "2026-11-21 ",
                "key=value ",
                "| "
            })
    void read_unknownPrefix_isRefused(String prefix) {
        assertThatThrownBy(() -> Logs.read(prefix + Logs.LINE, Logs.options("auto", "ip")))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("line cannot be used")
                .hasMessageContaining("unknown text before the client");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void read_anyWordsBeforeTheClient_neverAreTheKey(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            String client = CLIENTS.get(random.nextInt(CLIENTS.size()));
            StringBuilder line = new StringBuilder();
            for (int words = 1 + random.nextInt(4); words > 0; words--) {
                line.append(WORDS.get(random.nextInt(WORDS.size()))).append(GAPS.get(random.nextInt(GAPS.size())));
            }
            line.append(Logs.LINE.replace("83.149.9.216", client).replace("frank", USERS.get(random.nextInt(3))));
            try (Trace trace = Logs.read(line.toString(), Logs.options("combined", "ip"))) {
                assertThat(trace.key(0)).as(line.toString()).isEqualTo(client);
            } catch (LogException refused) {
                assertThat(refused).hasMessageContaining("line cannot be used");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nov 21 10:00:00 host nginx: ",
                "web-1  | ",
                "2026-11-21T10:00:00Z ",
                "\u001b[36mweb-1  | \u001b[0m",
                "www.example.com:443 "
            })
    void read_hostNameBehindKnownPrefix_isTheClient(String prefix) throws IOException {
        assertClient(prefix + Logs.LINE.replace("83.149.9.216", "pool-7.example.net"), "pool-7.example.net");
    }

    @ParameterizedTest
    @ValueSource(strings = {"log", "MESSAGE", "message"})
    void read_lineInAJsonEnvelope_isRead(String field) throws IOException {
        String json = "{\"stream\":\"stdout\",\"" + field + "\":\"%s" + QUOTED
                + "\\n\",\"time\":\"2026-11-21T10:00:00Z\",\"x\":{\"y\":[1]}}";

        assertClient(String.format(json, ""), "83.149.9.216");
        assertClient(String.format(json, "Nov 21 10:00:00 host nginx: "), "83.149.9.216");
        assertClient("web-1  | " + String.format(json, ""), "83.149.9.216");
    }

    @Test
    void read_unpairedSurrogateInAnEnvelope_isInNoKey() throws IOException {
        String line = "{\"log\":\"" + QUOTED.replace("frank", "fr\\ud800nk") + "\"}";

        assertClient(line, "83.149.9.216");
        try (Trace trace = Logs.read(line + "\n" + Logs.LINE, Logs.options("combined", "user"))) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("frank");
        }
    }

    @Test
    void read_envelopeWithTimeAndKey_isJsonl() throws IOException {
        String line = "{\"time\":1,\"ip\":\"198.51.100.7\",\"message\":\"" + QUOTED + "\"}";
        try (Trace trace = Logs.read(line, LogOptions.DEFAULT)) {
            assertThat(Logs.events(trace)).containsExactly(new Event(1_000_000_000L, "198.51.100.7", 1));
        }
    }

    @Test
    void read_wholeLineInQuotes_isRead() throws IOException {
        assertClient("\"" + QUOTED + "\"", "83.149.9.216");
        String common = QUOTED.substring(0, QUOTED.indexOf(" 2326") + 5);
        assertClient("\"" + common + "\"", "83.149.9.216");
    }

    @Test
    void read_tabsBetweenFields_areSpaces() throws IOException {
        String line = Logs.LINE.replace(" - frank [", "\t-\tfrank\t[").replace("] \"", "]\t\"");
        assertClient(line, "83.149.9.216");
        assertClient(line.replace("frank", "\u001b[36mfrank\u001b[0m"), "83.149.9.216");
    }

    @Test
    void read_prefixedJson_isRead() throws IOException {
        String object = "{\"time\":1431857103,\"ip\":\"83.149.9.216\"}";
        String quoted = '"' + object.replace("\"", "\\\"") + '"';
        String docker = "{\"log\":" + quoted + ",\"time\":\"2026-11-21T10:00:00Z\"}"; // a time, but no address
        for (String line : List.of("Nov 21 10:00:00 host app[7]: " + object, quoted, docker)) {
            for (String format : List.of("jsonl", "auto")) {
                try (Trace trace = Logs.read(line, Logs.options(format, "ip"))) {
                    assertThat(Logs.events(trace)).containsExactly(new Event(Logs.LINE_TIME, "83.149.9.216", 1));
                }
            }
        }
    }

    private static void assertClient(String line, String client) throws IOException {
        for (String format : new String[] {"auto", "combined"}) {
            try (Trace trace = Logs.read(line + "\n", Logs.options(format, "ip"))) {
                assertThat(Logs.events(trace))
                        .as("%s: %s", format, line)
                        .containsExactly(new Event(Logs.LINE_TIME, client, 1));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void pattern_longText_readsEachCharacterFewTimes(KnownPrefix prefix) {
        for (String part : List.of("a-", "a.", "a ", "a", "-", " ", "1", "[a", "\\")) {
            String text = part.repeat(1_024 / part.length());

            assertThatCode(() -> prefix.pattern()
                            .matcher(new RegexParser.Stepped(text, 10 * 1_024))
                            .lookingAt())
                    .as(part)
                    .doesNotThrowAnyException();
        }
    }

    static List<KnownPrefix> prefixes() {
        return KnownPrefix.ALL;
    }
}
