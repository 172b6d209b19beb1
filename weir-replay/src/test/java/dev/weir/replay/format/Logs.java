package dev.weir.replay.format;

import dev.weir.replay.trace.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Logs and options for tests. */
public final class Logs {
    public static final String LINE =
            "83.149.9.216 - frank [17/May/2015:10:05:03 +0000] \"GET /a/b?c=d HTTP/1.1\" 200 2326 \"-\" \"Mozilla/5.0\"";
    public static final long LINE_TIME = 1_431_857_103_000_000_000L;

    /** Options for csv with short keys in a column id. */
    public static final LogOptions BY_ID = LogOptions.builder().key("id").build();

    /** A request of a trace, with its key as text. */
    public record Event(long timeNanos, String key, long permits) {}

    private Logs() {}

    public static LogOptions options(String format, String key) {
        return LogOptions.builder().format(LogFormat.parse(format)).key(key).build();
    }

    public static Trace read(String log, LogOptions options) throws IOException {
        return read(log.getBytes(StandardCharsets.UTF_8), options);
    }

    public static Trace read(byte[] log, LogOptions options) throws IOException {
        return LogReader.read(new ByteArrayInputStream(log), options, done -> {});
    }

    public static List<Event> events(Trace trace) throws IOException {
        List<Event> events = new ArrayList<>();
        trace.forEach((time, key, permits) -> events.add(new Event(time, trace.key(key), permits)));
        return events;
    }

    public static byte[] gzip(String text) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return packed.toByteArray();
    }
}
