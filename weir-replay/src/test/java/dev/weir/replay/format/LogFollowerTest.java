package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFollowerTest {
    private final List<String> events = new ArrayList<>();
    private final RequestListener listener = new RequestListener() {
        @Override
        public void request(long timeNanos, String key, long permits) {
            events.add(permits + " of " + key + " at " + timeNanos);
        }

        @Override
        public void skipped(SkippedLine line) {
            events.add(line.number() + " " + line.reason());
        }
    };

    private void follow(String head, String rest, LogOptions options) throws IOException {
        LogFollower.follow(bytes(head), new ByteArrayInputStream(bytes(rest)), options, listener);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void follow_fromTheBeginning_detectsTheFormatAndSkipsOtherLines() throws IOException {
        follow("", "starting\n\n" + Logs.LINE + "\nstopping", LogOptions.DEFAULT);

        assertThat(events)
                .containsExactly(
                        "1 " + CombinedParser.MALFORMED.reason(),
                        "1 of 83.149.9.216 at " + Logs.LINE_TIME,
                        "4 " + CombinedParser.MALFORMED.reason());
    }

    /** It may be long until a log has 64 KiB, in which nothing would be counted. */
    @Test
    void follow_formatDoesNotShowInManyLines_isRefusedBeforeMoreIsRead() {
        InputStream open = new FilterInputStream(new ByteArrayInputStream(bytes("starting\n\n".repeat(200)))) {
            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                int read = super.read(bytes, from, length);
                assertThat(read).as("it would wait for more").isPositive();
                return read;
            }
        };

        assertThatExceptionOfType(LogException.class)
                .isThrownBy(() -> LogFollower.follow(bytes(""), open, LogOptions.DEFAULT, listener))
                .withMessageStartingWith("the log's format does not show in its first lines");
    }

    @Test
    void follow_zerosAtTheBeginning_areDropped() throws IOException {
        follow("", "\0".repeat(200_000) + Logs.LINE + "\n", LogOptions.DEFAULT);

        assertThat(events).containsExactly("1 of 83.149.9.216 at " + Logs.LINE_TIME);
    }

    @Test
    void follow_withAHead_takesTheFormatFromItAndNoRequest() throws IOException {
        follow("time,id,permits\n1,a,2\n", "2,b,3\n", Logs.BY_ID);

        assertThat(events).containsExactly("3 of b at 2000000000");
    }

    /** Messages that a server writes before it has requests arrive alone, so they are all that the format can be detected by. */
    @ParameterizedTest
    @ValueSource(strings = {"caddy", "traefik", "combined", "iis"})
    void follow_onlyMessagesAtFirst_takesTheFormatFromTheFirstRequest(String format) throws IOException {
        String message =
                "{\"level\":\"info\",\"ts\":1700000000.1,\"time\":\"2026-11-21T10:00:00Z\",\"msg\":\"starting\"}\n";
        String request = switch (format) {
            case "caddy" -> "{\"ts\":2,\"request\":{\"remote_ip\":\"83.149.9.216\",\"uri\":\"/\"}}\n";
            case "traefik" ->
                "{\"StartUTC\":\"1970-01-01T00:00:02Z\",\"time\":\"x\",\"ClientHost\":\"83.149.9.216\"}\n";
            case "combined" -> "83.149.9.216 - - [01/Jan/1970:00:00:02 +0000] \"GET / HTTP/1.1\" 200 1\n";
            default -> "#Fields: date time c-ip\n1970-01-01 00:00:02 83.149.9.216\n";
        };
        for (String head : List.of("", message)) {
            InputStream pipe = new SequenceInputStream(
                    new ByteArrayInputStream(bytes(message)), new ByteArrayInputStream(bytes(request + message)));
            LogFollower.follow(bytes(head), pipe, LogOptions.DEFAULT, listener);

            assertThat(events).hasSize(3);
            assertThat(events.get(1)).isEqualTo("1 of 83.149.9.216 at 2000000000");
            events.clear();
        }
    }

    @Test
    void follow_formatOfTheOptions_isNotDetected() throws IOException {
        follow("", Logs.LINE + "\n", Logs.options("combined", "user"));

        assertThat(events).containsExactly("1 of frank at " + Logs.LINE_TIME);
    }

    /** The stream fails if it is read further than the first line, as one that blocks. */
    @Test
    void follow_firstLineIsComplete_isPassedOnAtOnce() {
        InputStream blocking = new ByteArrayInputStream(bytes(Logs.LINE + "\n83.149")) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                if (available() == 0) {
                    throw new IllegalStateException("would block");
                }
                return super.read(bytes, offset, length);
            }
        };

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> LogFollower.follow(new byte[0], blocking, LogOptions.DEFAULT, listener));

        assertThat(events).hasSize(1);
    }

    @Test
    void follow_keyThatNoLimiterTakes_isSkipped() throws IOException {
        String longest = "x".repeat(1_024);
        follow("time,id\n", "1," + longest + "\n1,x" + longest + "\n1,\u00e4\n", Logs.BY_ID);

        assertThat(events)
                .containsExactly(
                        "1 of " + longest + " at 1000000000",
                        "2 " + Refusal.KEY_TOO_LONG.reason(),
                        "3 " + Refusal.KEY_NOT_TEXT.reason());
    }

    @Test
    void follow_lineOfBlanks_isSkippedOnlyIfItsEndIsNotRead() throws IOException {
        follow("time,id\n", " \t\n" + " ".repeat(LineReader.MAX_LINE) + "1,a\n", Logs.BY_ID);

        assertThat(events).containsExactly("2 longer than 64 KiB");
    }

    @Test
    void follow_noLines_isNoLog() throws IOException {
        follow("", "", LogOptions.DEFAULT);
        assertThat(events).isEmpty();

        assertThatExceptionOfType(LogException.class).isThrownBy(() -> follow("", "no log\n", LogOptions.DEFAULT));
    }

    @Test
    void follow_packedLog_isRefused() {
        byte[] packed = Logs.gzip(Logs.LINE);

        for (byte[] head : List.of(packed, new byte[0])) {
            assertThatExceptionOfType(LogException.class)
                    .isThrownBy(() ->
                            LogFollower.follow(head, new ByteArrayInputStream(packed), LogOptions.DEFAULT, listener))
                    .withMessageContaining("packed by gzip");
        }
    }
}
