package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogReaderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String UNKNOWN =
            "the log's format does not show in its first lines; --format gives it: combined, csv, jsonl, alb, cloudfront,"
                    + " elb, s3, caddy, traefik, envoy, istio, haproxy, squid, iis or regex:PATTERN; line ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                Logs.LINE,
                "\n\r\n  \n" + Logs.LINE + "\r\n\n",
                "rubbish\n" + Logs.LINE,
                "time,ip\n1431857103,83.149.9.216\n",
                "{\"time\":1431857103,\"ip\":\"83.149.9.216\"}",
                "-- start\n{\"time\":\"2015-05-17T10:05:03Z\",\"ip\":\"83.149.9.216\"}\n"
            })
    void read_auto_findsTheFormat(String log) throws IOException {
        for (byte[] bytes : new byte[][] {log.getBytes(StandardCharsets.UTF_8), Logs.gzip("\uFEFF" + log)}) {
            try (Trace trace = Logs.read(bytes, LogOptions.DEFAULT)) {
                assertThat(Logs.events(trace)).containsExactly(new Event(Logs.LINE_TIME, "83.149.9.216", 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{\"time\":1,\"ip\":\"a\"}]", "[\n  {\n    \"time\": 1\n  }\n]\n", " [ {\"time\":1},\n"})
    void read_jsonArray_isRefusedWithTheWayToReadIt(String log) {
        assertThatThrownBy(() -> Logs.read(log, LogOptions.DEFAULT))
                .isInstanceOf(LogException.class)
                .hasMessage("the log is a JSON array, which is not read;"
                        + " jq -c '.[]' writes each of its objects on a line");
    }

    @Test
    void read_linesThatEndWithCarriageReturns_areNotOneLine() {
        for (String end : new String[] {"", Logs.LINE + "\n"}) {
            assertThatThrownBy(() -> Logs.read((Logs.LINE + "\r").repeat(2) + end, LogOptions.DEFAULT))
                    .isInstanceOf(LogException.class)
                    .hasMessage("the log's lines end with a carriage return alone;"
                            + " convert it first, such as with tr '\\r' '\\n'");
        }
    }

    @Test
    void read_keysThatAreNotUtf8_areNotOneKey() throws IOException {
        String log = "time,id\n1,J\u00f6rg\n2,J\u00e4rg\n3,ann\n4,bob\n";
        try (Trace trace = Logs.read(log.getBytes(StandardCharsets.ISO_8859_1), Logs.BY_ID)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("ann", "bob");
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::number, SkippedLine::reason)
                    .containsExactly(tuple(2L, "a key that is not UTF-8"), tuple(3L, "a key that is not UTF-8"));
            assertThat(trace.hint()).isEqualTo("convert the log first, such as with iconv -f ISO-8859-1 -t UTF-8");
        }
    }

    @Test
    void read_autoWithTimeFormat_readsItsTimes() throws IOException {
        LogOptions options =
                LogOptions.builder().timeFormat("yyyy-MM-dd HH:mm:ss").build();
        String line = Logs.LINE.replace("17/May/2015:10:05:03 +0000", "2015-05-17 10:05:03");
        try (Trace trace = Logs.read(line, options)) {
            assertThat(Logs.events(trace)).containsExactly(new Event(Logs.LINE_TIME, "83.149.9.216", 1));
        }
    }

    @Test
    void read_autoWithATimeFormatThatDoesNotFit_saysSo() {
        LogOptions options = LogOptions.builder().timeFormat("dd/MMM/yyyy").build();
        assertThatThrownBy(() -> Logs.read(Logs.LINE, options))
                .hasMessageStartingWith("the log's only line cannot be used, read as combined; line 1: no time that")
                .hasMessageContaining("no time that --time-format reads: ")
                .hasMessageEndingWith(
                        "; the form must be that of the whole time, and the time must exist, once, in its zone");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time,path\n1,/a?x=1\n2,/a?x=2\n",
                "{\"time\":1,\"path\":\"/a?x=1\"}\n{\"time\":2,\"path\":\"/a\"}\n"
            })
    void read_pathOfCsvAndJsonl_isAKeyWithoutItsQuery(String log) throws IOException {
        try (Trace trace = Logs.read(log, Logs.options("auto", "path"))) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("/a", "/a");
        }
    }

    @Test
    void read_unordered_isSortedStably() throws IOException {
        String log = "time,id\n3,a\n1,b\n2,c\n1,d\n3,e\n";
        try (Trace trace = Logs.read(log, Logs.BY_ID)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("b", "d", "c", "a", "e");
            assertThat(trace.key(0)).isEqualTo("a");
        }
    }

    @Test
    void read_fileOrder_neverGoesBackwards() throws IOException {
        LogOptions options = LogOptions.builder().key("id").order(Order.FILE).build();
        try (Trace trace = Logs.read("time,id\n3,a\n1,b\n4,c\n1,d\n", options)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("a", "b", "c", "d");
            assertThat(Logs.events(trace))
                    .extracting(event -> event.timeNanos() / SECOND)
                    .containsExactly(3L, 3L, 4L, 4L);
        }
    }

    @Test
    void read_yearsApart_isFine() throws IOException {
        try (Trace trace = Logs.read("time,id\n1970-01-01T00:00:00Z,a\n2261-12-31T23:59:59Z,a\n", Logs.BY_ID)) {
            assertThat(trace.requests()).isEqualTo(2);
        }
    }

    @Test
    void read_badLines_areSkippedCountedAndShown() throws IOException {
        StringBuilder log = new StringBuilder(Logs.LINE + "\n\n");
        log.append("bad \u0000\u001b[31m \u202e line\n").append("x".repeat(200)).append('\n');
        log.append(Logs.LINE.replace("83.149.9.216", "h".repeat(254))).append('\n');
        log.append("y".repeat(1 << 17)).append('\n');
        log.append("bad\n".repeat(10)).append(Logs.LINE);
        try (Trace trace = Logs.read(
                log.toString(), LogOptions.builder().skipUnreadable(true).build())) {
            assertThat(trace.requests()).isEqualTo(2);
            assertThat(trace.keys()).isEqualTo(1);
            assertThat(trace.skipped()).isEqualTo(14);
            String malformed = "not host ident user [time] \"request\" status size";
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::number, SkippedLine::reason, SkippedLine::excerpt)
                    .containsExactly(
                            tuple(3L, malformed, "bad \uFFFD\uFFFD[31m \uFFFD line"),
                            tuple(4L, malformed, "x".repeat(80) + "..."),
                            tuple(5L, ClientReader.NO_CLIENT.reason(), "h".repeat(80) + "..."),
                            tuple(6L, "longer than 64 KiB", "y".repeat(80) + "..."),
                            tuple(7L, malformed, "bad"));
        }
    }

    @Test
    void read_keyLongerThanStoresTake_isSkipped() throws IOException {
        String longest = "k".repeat(1024);
        try (Trace trace = Logs.read("time,id\n1," + longest + "\n2," + longest + "k\n", Logs.BY_ID)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly(longest);
            assertThat(trace.firstSkipped()).extracting(SkippedLine::reason).containsExactly("key longer than 1 KiB");
        }
    }

    @Test
    void read_mostLinesUnreadable_isRefusedUnlessAllowed() throws IOException {
        String log = (Logs.LINE + "\n").repeat(2) + "bad\n".repeat(3);

        assertThatThrownBy(() -> Logs.read(log, LogOptions.DEFAULT))
                .isInstanceOf(LogException.class)
                .hasMessage("3 of the log's 5 lines cannot be read as combined; line 3: not host ident user [time]"
                        + " \"request\" status size: bad; --skip-unreadable skips them");
        LogOptions allowed = LogOptions.builder().skipUnreadable(true).build();
        try (Trace trace = Logs.read(log, allowed)) {
            assertThat(trace.requests()).isEqualTo(2);
            assertThat(trace.skipped()).isEqualTo(3);
        }
    }

    @Test
    void read_halfOfTheLinesUnreadable_isAccepted() throws IOException {
        try (Trace trace = Logs.read(Logs.LINE + "\nbad\n", LogOptions.DEFAULT)) {
            assertThat(trace.skipped()).isEqualTo(1);
            assertThat(trace.hint()).isNull();
        }
    }

    @Test
    void read_mostLinesWithoutKey_isAccepted() throws IOException {
        String log = Logs.LINE + "\n" + (Logs.LINE.replace("frank", "-") + "\n").repeat(5);
        try (Trace trace = Logs.read(log, Logs.options("auto", "user"))) {
            assertThat(trace.requests()).isEqualTo(1);
            assertThat(trace.skipped()).isEqualTo(5);
        }
    }

    @Test
    void read_unknownPrefix_isRefusedWithTheHint() {
        assertThatThrownBy(() -> Logs.read("app seven " + Logs.LINE, LogOptions.DEFAULT))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("unknown text before the client")
                .hasMessageContaining("; --format 'regex:...' with the groups time and key reads any line");
    }

    @Test
    void read_forwardedList_isRefusedWithTheHint() {
        assertThatThrownBy(() -> Logs.read("203.0.113.9, " + Logs.LINE, LogOptions.DEFAULT))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("a list of addresses where the client is expected")
                .hasMessageContaining("--client N-from-right chooses");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "combined | the log's only line cannot be used, read as combined; line 1: not host ident user [time]"
                        + " \"request\" status size: {\"time\":1}; it looks like jsonl",
                "jsonl | the log's only line cannot be used, read as jsonl; line 1: no value in field 'ip': {\"time\":1}"
                        + "; --key NAME counts by another field; the line has time",
                "csv | the csv header has no column 'time', only: {\"time\":1}; --time-field names the one with the time",
                "regex:(?<time>x)(?<key>y) | the log's only line cannot be used, read as regex; line 1: the pattern does"
                        + " not match: {\"time\":1}; it looks like jsonl",
            })
    void read_wrongFormat_reportsWhatItLooksLike(String format, String message) {
        assertThatThrownBy(() -> Logs.read("{\"time\":1}", Logs.options(format, "ip")))
                .isInstanceOf(LogException.class)
                .hasMessage(message);
    }

    @Test
    void read_noneWithAKey_isReported() {
        String log = Logs.LINE.replace("frank", "-") + "\n";

        assertThatThrownBy(() -> Logs.read(log.repeat(3), Logs.options("auto", "user")))
                .isInstanceOf(LogException.class)
                .hasMessageStartingWith(
                        "none of the log's 3 lines can be used, read as combined; line 1: no user: 83.149.9.216");
    }

    @Test
    void read_keyThatACombinedLogHasNot_isRefused() {
        assertThatThrownBy(() -> Logs.read(Logs.LINE, Logs.options("auto", "tenant")))
                .isInstanceOf(LogException.class)
                .hasMessage("the key of a combined log must be ip, user or path, was 'tenant'");
    }

    @Test
    void read_text_reportsThatItIsNoLog() {
        assertThatThrownBy(() -> Logs.read("\n# Weir\n\nA rate limiter.\n", LogOptions.DEFAULT))
                .isInstanceOf(LogException.class)
                .hasMessage(UNKNOWN + "2: # Weir");
    }

    @Test
    void read_blankLinesOnly_isReported() {
        for (String format : new String[] {"auto", "combined", "csv", "jsonl"}) {
            assertThatThrownBy(() -> Logs.read("\n \r\n\t\n", Logs.options(format, "ip")))
                    .isInstanceOf(LogException.class)
                    .hasMessage("the log has nothing but blank lines");
        }
    }

    @Test
    void read_binary_isReported() {
        byte[] noise = new byte[200_000];
        new Random(4).nextBytes(noise);
        noise[0] = 1; // not by chance one of the packers
        for (String format : new String[] {"auto", "combined", "jsonl", "regex:(?<time>xyz)(?<key>.)"}) {
            assertThatThrownBy(() -> Logs.read(noise, Logs.options(format, "ip")))
                    .as(format)
                    .isInstanceOf(LogException.class)
                    .hasMessage("the log is not text: it looks like binary data");
        }
    }

    @Test
    void read_streamThatFails_failsWithItsReason() {
        InputStream broken =
                new ByteArrayInputStream((Logs.LINE + "\n").repeat(1000).getBytes(StandardCharsets.UTF_8)) {
                    @Override
                    public synchronized int read(byte[] bytes, int offset, int length) {
                        int read = super.read(bytes, offset, length);
                        if (read < 0) {
                            throw new UncheckedIOException(new IOException("the disk is gone"));
                        }
                        return read;
                    }
                };

        assertThatThrownBy(() -> LogReader.read(broken, LogOptions.DEFAULT, done -> {}))
                .hasRootCauseMessage("the disk is gone");
    }

    @Test
    void read_stream_isNotClosed() throws IOException {
        boolean[] closed = new boolean[1];
        InputStream in = new ByteArrayInputStream(Logs.LINE.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        LogReader.read(in, LogOptions.DEFAULT, done -> {}).close();

        assertThat(closed[0]).isFalse();
    }
}
