package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonlTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"time\":1,\"id\":\"a\"} | a | 1",
                "{\"id\":\"a\",\"time\":\"1970-01-01T00:00:01Z\",\"permits\":3} | a | 3",
                "{\"id\":\"a\",\"time\":\"1\",\"permits\":\"4\"} | a | 4",
                "{\"time\":1.0,\"id\":5,\"permits\":null} | 5 | 1",
                " { \"time\" : 1e0 , \"id\" : true } | true | 1",
                "{\"x\":{\"id\":\"b\",\"time\":9},\"time\":1,\"y\":[{\"id\":\"c\"}],\"id\":\"a\"} | a | 1",
                "{\"time\":1,\"id\":\"\\u00e4\\n\"} | ä\\n | 1",
            })
    void read_object_isARequest(String line, String key, long permits) throws IOException {
        try (Trace trace = jsonl(line)) {
            assertThat(Logs.events(trace)).containsExactly(new Event(SECOND, key.replace("\\n", "\n"), permits));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | no time",
                "{\"time\":1} | no value in field 'id'",
                "{\"time\":1,\"id\":null} | no value in field 'id'",
                "{\"time\":1,\"id\":\"\"} | no value in field 'id'",
                "{\"time\":1,\"id\":[1]} | no value in field 'id'",
                "{\"time\":{},\"id\":\"a\"} | no time",
                "{\"time\":\"soon\",\"id\":\"a\"} | no time that can be read",
                "{\"time\":1e99,\"id\":\"a\"} | time outside the years 1970 to 2261",
                "{\"time\":1,\"id\":\"a\",\"permits\":0} | permits is not a whole number of at least 1",
                "{\"time\":1,\"id\":\"a\",\"permits\":1.5} | permits is not a whole number of at least 1",
                "[1] | not one JSON object",
                "1 | not one JSON object",
                "{\"time\":1,\"id\":\"a\" | not one JSON object",
                "{\"time\":1,\"id\":\"a\"} {} | not one JSON object",
                "{\"time\":1,\"id\":\"a\"}, | not one JSON object",
                "{'time':1} | not one JSON object",
            })
    void read_otherLine_reportsWhy(String line, String reason) throws IOException {
        try (Trace trace = jsonl("{\"time\":1,\"id\":\"ok\"}\n" + line)) {
            assertThat(trace.requests()).isEqualTo(1);
            assertThat(trace.firstSkipped()).containsExactly(new SkippedLine(2, reason, line));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"t\":{\"s\":1},\"a\":{\"b\":\"k\"}}",
                "{\"t.s\":1,\"a.b\":\"k\"}",
                "{\"a\":{\"b\":\"x\"},\"a.b\":\"k\",\"t\":{\"s\":1}}",
                "{\"a.b\":\"k\",\"a\":{\"b\":\"x\"},\"t.s\":1}",
                "{\"a\":{\"c\":{\"b\":\"x\"},\"b\":\"k\"},\"t\":{\"x\":[{\"s\":2}],\"s\":1}}",
                "{\"a\":{\"b\":[\"k\"]},\"t.s\":1}",
            })
    void read_nestedNames_areFoundByDots(String line) throws IOException {
        try (Trace trace = Logs.read(line, nested())) {
            assertThat(Logs.events(trace)).containsExactly(new Event(SECOND, "k", 1));
        }
    }

    @Test
    void read_keyWithAnUnpairedSurrogate_isSkipped() throws IOException {
        String log = """
                {"time":1,"id":"a\\ud800"}
                {"time":1,"id":"a\\udfff"}
                {"time":1,"id":"a?"}
                {"time":1,"id":"a\\ud83d\\ude00"}
                """;

        try (Trace trace = jsonl(log)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("a?", "a\ud83d\ude00");
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::reason)
                    .containsOnly("a key that is not UTF-8")
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/a?b=1,/a",
        "/a?to=http://www.example.com/b,/a",
        "http://www.example.com/a?b=1,/a",
        "http://www.example.com,"
    })
    void read_path_isThatOfTheUrl(String url, String path) throws IOException {
        String log = "{\"time\":1,\"path\":\"" + url + "\"}\n{\"time\":1,\"path\":\"/\"}";

        assertThat(PresetTest.keys("jsonl", "path", log)).isEqualTo(path == null ? List.of("/") : List.of(path, "/"));
    }

    @Test
    void read_arrayOfTexts_isAListWithCommas() throws IOException {
        try (Trace trace = Logs.read("{\"a\":{\"b\":[\"k\",1,\"l\",[\"m\"]]},\"t.s\":1}", nested())) {
            assertThat(trace.key(0)).isEqualTo("k, l");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a.b\":\"k\",\"a.b\":\"k\",\"t.s\":1}",
                "{\"a\":{\"b\":\"x\"},\"a\":{\"b\":\"y\"},\"t.s\":1}",
                "{\"a.b\":\"x\",\"a.b\":null,\"t.s\":1}"
            })
    void read_fieldTwice_isRefused(String line) throws IOException {
        try (Trace trace = Logs.read("{\"t.s\":1,\"a.b\":\"ok\"}\n" + line, nested())) {
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::reason)
                    .containsExactly("field 'a.b' is there twice");
        }
    }

    private static LogOptions nested() {
        return LogOptions.builder()
                .format(LogFormat.JSONL)
                .key("a.b")
                .timeField("t.s")
                .build();
    }

    @Test
    void read_addressWithPort_isTheAddress() throws IOException {
        try (Trace trace =
                byClient("{\"time\":1,\"ip\":\"[2001:db8::1]:443\"}\n{\"time\":1,\"ip\":\"www.example.com\"}")) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("2001:db8::1", "www.example.com");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"ts\":1795255200.5,\"ip\":\"a\",\"size\":512} | , such as ts",
                "{\"m\":{\"@timestamp\":\"x\",\"at\":\"2026-11-21T10:00:00Z\"}} | , such as m.@timestamp, m.at",
                "{\"receiveTimestamp\":\"x\",\"timestamp\":\"x\",\"ts\":1} | , such as timestamp, ts, receiveTimestamp",
                "{\"logged\":\"Nov 21 10:00:00\"} | , such as logged",
                "{\"size\":512,\"a\":{\"b\":true,\"c\":[1]}} | ; the line has size, a.b",
                "{\"http\":{\"request\":{\"client\":{\"ip\":\"a\"}}}} | ; the line has http.request.client.ip",
            })
    void read_noTime_namesTheOptionAndFields(String line, String fields) throws IOException {
        try (Trace trace = jsonl("{\"time\":1,\"id\":\"ok\"}\n" + line)) {
            assertThat(trace.hint()).isEqualTo("--time-field NAME names the field with the time" + fields);
        }
    }

    @Test
    void read_noKey_namesTheOptionAndFields() throws IOException {
        String many =
                IntStream.range(0, 1000).mapToObj(i -> ",\"f" + i + "\":1").collect(Collectors.joining());
        try (Trace trace = jsonl("{\"time\":1,\"id\":\"ok\"}\n{\"time\":1,\"r\":{\"ip\":\"a\"}" + many + "}")) {
            assertThat(trace.hint())
                    .startsWith("--key NAME counts by another field; the line has time, r.ip, f0, f1, ")
                    .endsWith("...")
                    .hasSizeLessThan(150);
        }
    }

    @Test
    void read_deepNesting_isRefusedNotFollowed() throws IOException {
        try (Trace trace = jsonl("{\"time\":1,\"id\":\"ok\"}\n{\"a\":" + "[".repeat(60_000))) {
            assertThat(trace.skipped()).isEqualTo(1);
        }
    }

    @Test
    void read_bytesThatAreNotUtf8_areNoKeyAndElsewhereIgnored() throws IOException {
        byte[] lines = "{\"time\":1,\"id\":\"a\u00ffb\"}\n{\"time\":2,\"id\":\"a\",\"x\":\"\u00ff\"}"
                .getBytes(StandardCharsets.ISO_8859_1);
        try (Trace trace = Logs.read(lines, Logs.options("jsonl", "id"))) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("a");
            assertThat(trace.skipped()).isEqualTo(1);
        }
    }

    private static Trace byClient(String text) throws IOException {
        return Logs.read(text, Logs.options("jsonl", "ip"));
    }

    private static Trace jsonl(String text) throws IOException {
        return Logs.read(text, Logs.options("jsonl", "id"));
    }
}
