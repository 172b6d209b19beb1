package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.format.CombinedParser.KeyPart;
import dev.weir.replay.time.DatedTime;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CombinedParserTest {
    private static final String TIME = "[17/May/2015:10:05:03 +0000]";

    private final Request request = new Request();

    @Test
    void parse_combinedLine_hasTimeAndKeys() {
        assertThat(key(KeyPart.IP, Logs.LINE)).isEqualTo("83.149.9.216");
        assertThat(key(KeyPart.USER, Logs.LINE)).isEqualTo("frank");
        assertThat(key(KeyPart.PATH, Logs.LINE)).isEqualTo("/a/b");
        assertThat(request.timeNanos).isEqualTo(Logs.LINE_TIME);
        assertThat(request.permits).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2015-05-17T10:05:03Z", "2015-05-17T12:05:03+02:00", "2015-05-17 10:05:03,000"})
    void parse_isoTime_isRead(String time) {
        assertThat(key(KeyPart.IP, Logs.LINE.replace("17/May/2015:10:05:03 +0000", time)))
                .isEqualTo("83.149.9.216");
        assertThat(request.timeNanos).isEqualTo(Logs.LINE_TIME);
    }

    @Test
    void parse_numberInBracketsBeforeTheRequest_isNoTime() {
        assertThat(refusal(KeyPart.IP, "1.2.3.4 - ann " + TIME + " [1431857103] \"GET / HTTP/1.1\" 200 1"))
                .isEqualTo("no time that can be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"83.149.9.216", "2001:db8::1", "host.example.net", "\u00e4.example"})
    void parse_anyHost_isTheKey(String host) {
        assertThat(key(KeyPart.IP, host + " - - " + TIME + " \"GET / HTTP/1.1\" 200 1"))
                .isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /a HTTP/1.1 | /a",
                "GET /a?b=c?d HTTP/1.1 | /a",
                "GET /a b HTTP/1.0 | /a b",
                "GET /a | /a",
                "GET /a b | /a b",
                "GET /a HTTP/1.1 HTTP/2.0 | /a HTTP/1.1",
                "GET http://example.com/a?b HTTP/1.1 | /a", // as to a proxy
                "CONNECT example.com:443 HTTP/1.1 | example.com:443",
                "OPTIONS * HTTP/1.1 | *",
                "GET /\\\"a\\\" HTTP/1.1 | /\\\"a\\\"",
                "GET /a\\\\ HTTP/1.1 | /a\\\\",
                "GET /a\"b HTTP/1.1 | /a\"b",
                "GET /a\\\" 200 1 HTTP/1.1 | /a\\\" 200 1", // an escaped quote does not end the request
                "GET /a\\\\ | /a\\\\",
            })
    void parse_anyRequest_hasItsPath(String sent, String path) {
        assertThat(key(KeyPart.PATH, "h - - " + TIME + " \"" + sent + "\" 200 1 \"-\" \"-\""))
                .isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "", "\\x16\\x03\\x01", "GET", "GET ?a=b HTTP/1.1", "GET  HTTP/1.1"})
    void parse_requestWithoutPath_hasAddressOnly(String sent) {
        String line = "h - - " + TIME + " \"" + sent + "\" 400 -";

        assertThat(key(KeyPart.IP, line)).isEqualTo("h");
        assertThat(refusal(KeyPart.PATH, line)).isEqualTo("no path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 1",
                "200 -",
                "- -",
                "304 0",
                "200 1 \"-\" \"un\"quoted\"",
                "200 1 ",
                "200 123456789012345678901"
            })
    void parse_anyStatusAndSize_isRead(String rest) {
        assertThat(key(KeyPart.IP, "h - - " + TIME + " \"GET / HTTP/1.1\" " + rest))
                .isEqualTo("h");
    }

    @Test
    void parse_noUser_isRefusedForUsersOnly() {
        String line = "h - - " + TIME + " \"GET / HTTP/1.1\" 200 1";

        assertThat(refusal(KeyPart.USER, line)).isEqualTo("no user");
        assertThat(refusal(KeyPart.IP, line)).isNull();
        assertThat(refusal(KeyPart.IP, line.replaceFirst("h", "-"))).isEqualTo("no address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"frank", "John Doe", "a[b]", "[x]", "DOMAIN\\user", "a@b.c", "\u00e4\u00f6"})
    void parse_anyUser_isTheKey(String user) {
        assertThat(key(KeyPart.USER, "h - " + user + " " + TIME + " \"GET / HTTP/1.1\" 200 1"))
                .isEqualTo(user);
    }

    @Test
    void parse_virtualHostBefore_isPassedOver() {
        String line = "www.example.com:443 1.2.3.4 - frank " + TIME + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"";

        assertThat(key(KeyPart.IP, line)).isEqualTo("1.2.3.4");
        assertThat(key(KeyPart.USER, line)).isEqualTo("frank");
        assertThat(refusal(KeyPart.USER, line.replace("frank", "-"))).isEqualTo("no user");
        assertThat(refusal(KeyPart.USER, line.replace("frank", "\"\""))).isEqualTo("no user");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.2.3.4:5678 - - | 1.2.3.4",
                "[2001:db8::1]:443 - - | 2001:db8::1",
                "[2001:db8::1] - John Doe | 2001:db8::1",
                "1.2.3.4 ident frank | 1.2.3.4",
                "www.example.com 1.2.3.4 - - | 1.2.3.4",
                "www.example.com 2001:db8::1 - John Doe | 2001:db8::1",
                "www.example.com:80 host.example - - | host.example",
                "[2001:db8::80]:443 1.2.3.4 - - | 1.2.3.4",
                "10.0.0.1:80 1.2.3.4 - - | 1.2.3.4",
            })
    void parse_certainClient_isTheKey(String head, String client) {
        assertThat(key(KeyPart.IP, head + " " + TIME + " \"GET / HTTP/1.1\" 200 1"))
                .isEqualTo(client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nov - -",
                "INFO - frank",
                "203.0.113.9, - -",
                "203.0.113.9,x - -",
                "\"192.168.4.25 - -",
                "www.example.com - - -",
                "www.example.com host - -",
                "web-1 - 203.0.113.9 - -",
                "10.0.0.1 203.0.113.9 - -",
                "10.0.0.1 203.0.113.9 frank",
                "10.0.0.1 www.example.com:80 frank",
                "10.0.0.1  frank",
                "10.0.0.1 - ",
                "10.0.0.1 - 203.0.113.9 - -",
                "10.0.0.1 - 203.0.113.9",
                "www.example.com - 203.0.113.9",
                "www.example.com - 2001:db8::9",
                "www.example.com - 203.0.113.9,10.0.0.1",
                "www.example.com - 203.0.113.9, 10.0.0.1",
                "10.0.0.1 - ann " + TIME, // which of two times is that of the request?
                "10.0.0.1 nginx 203.0.113.9",
                "10.0.0.1 nginx: 203.0.113.9",
                "10.0.0.1 nginx[12]: www.example.com",
                "host ident frank",
                "a b 1.2.3.4 - -",
                "web-1  1.2.3.4 - -",
                "1234 - -",
                "nginx: - -"
            })
    void parse_uncertainClient_isRefusedForEveryKey(String head) {
        for (KeyPart key : KeyPart.values()) {
            assertThat(refusal(key, head + " " + TIME + " \"GET / HTTP/1.1\" 200 1"))
                    .as("%s by %s", head, key)
                    .isIn(ClientReader.NO_CLIENT.reason(), "a list of addresses where the client is expected");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "unix:", "unknown"})
    void parse_noClient_isRefusedForAddressesOnly(String client) {
        String line = client + " - frank " + TIME + " \"GET /a HTTP/1.1\" 200 1";

        assertThat(refusal(KeyPart.IP, line)).isEqualTo("no address");
        assertThat(key(KeyPart.USER, line)).isEqualTo("frank");
        assertThat(key(KeyPart.PATH, line)).isEqualTo("/a");
    }

    @Test
    void parse_manyBracketsAndWords_staysLinear() {
        String line = "a [".repeat(20_000) + Logs.LINE;

        assertThat(refusal(KeyPart.IP, line)).isEqualTo(ClientReader.NO_CLIENT.reason());
    }

    @Test
    void parse_everyPrefixOfALine_isReadFromTheSizeOn() {
        int readable = Logs.LINE.indexOf(" 200 2") + " 200 2".length();
        for (int length = 0; length <= Logs.LINE.length(); length++) {
            String refusal = refusal(KeyPart.IP, Logs.LINE.substring(0, length));

            assertThat(refusal == null).as("%d bytes", length).isEqualTo(length >= readable);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a",
                "a b c d",
                "[]",
                "[17/May/2015:10:05:03 +0000]",
                "h - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1",
                "h - -[17/May/2015:10:05:03 +0000] \"GET /\" 200 1",
                "h - - [17/May/2015:10:05:03 +0000]\"GET /\" 200 1",
                "h - - [17/May/2015:10:05:03 +0000] GET / 200 1",
                "h - - [17/May/2015:10:05:03 +0000] \"GET / 200 1",
                "h - - [17/May/2015:10:05:03 +0000] \"GET /\" 200",
                "h - - [17/May/2015:10:05:03 +0000] \"GET /\" x 1",
                "h - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1x",
                "{\"time\":1}",
                "time,ip"
            })
    void parse_otherLine_reportsWhatALineIs(String line) {
        assertThat(refusal(KeyPart.IP, line)).isEqualTo("not host ident user [time] \"request\" status size");
    }

    @Test
    void parse_timeThatIsNone_isReported() {
        assertThat(refusal(KeyPart.IP, Logs.LINE.replace("May", "Mai"))).isEqualTo("no time that can be read");
        assertThat(refusal(KeyPart.IP, Logs.LINE.replace("2015", "9015")))
                .isEqualTo("time outside the years 1970 to 2261");
    }

    private String key(KeyPart key, String line) {
        assertThat(refusal(key, line)).as(line).isNull();
        return new String(request.key, request.keyFrom, request.keyTo - request.keyFrom, StandardCharsets.UTF_8);
    }

    /** Parses the line amid others, so that nothing outside it may matter. */
    private String refusal(KeyPart key, String line) {
        byte[] before = "\"x [".getBytes(StandardCharsets.UTF_8);
        byte[] bytes = ("\"x [" + line + " \"] 200 1").getBytes(StandardCharsets.UTF_8);
        int length = line.getBytes(StandardCharsets.UTF_8).length;
        Refusal refusal = new CombinedParser(key, new DatedTime(), null)
                .parse(bytes, before.length, before.length + length, request);
        return refusal == null ? null : refusal.reason();
    }
}
