package dev.weir.replay;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tells a log's format by its first lines. */
final class FormatDetector {
    static final String NO_LINES = "the log has nothing but blank lines";
    static final String BINARY = "the log is not text: it looks like binary data";

    private static final int MAX_CONTROLS_PERCENT = 10;

    private FormatDetector() {}

    /** The format of the first line that is readable as any, csv being told by its header alone; null if none is. */
    static @Nullable LogFormat detect(byte[] head, TimeParser clfTime) throws IOException {
        LineParser combined = new CombinedParser(CombinedParser.KeyPart.IP, clfTime);
        Request request = new Request();
        LineReader lines = new LineReader(new ByteArrayInputStream(head));
        boolean first = true;
        while (lines.next()) {
            byte[] line = lines.bytes();
            int from = lines.start();
            int to = lines.end();
            if (Bytes.isBlank(line, from, to)) {
                continue;
            }
            if (combined.parse(line, from, to, request) == null) {
                return LogFormat.COMBINED;
            }
            String text = new String(line, from, to - from, StandardCharsets.UTF_8);
            if (JsonlParser.isObject(text)) {
                return LogFormat.JSONL;
            }
            if (first && CsvParser.names(text).contains(Fields.TIME)) {
                return LogFormat.CSV;
            }
            first = false;
        }
        return null;
    }

    /** What to say about a log whose format does not show. */
    static String refusal(byte[] head) throws IOException {
        LineReader lines = new LineReader(new ByteArrayInputStream(head));
        while (lines.next()) {
            if (!Bytes.isBlank(lines.bytes(), lines.start(), lines.end())) {
                return isBinary(head)
                        ? BINARY
                        : "the log's format does not show in its first lines; give it: combined, csv (with a header that has"
                                + " a column 'time'), jsonl or regex:PATTERN; line " + lines.number() + ": "
                                + Excerpt.of(lines.bytes(), lines.start(), lines.end());
            }
        }
        return NO_LINES;
    }

    /** Whether bytes are unlikely to be text: a NUL, or many other control characters. */
    static boolean isBinary(byte[] head) {
        int controls = 0;
        for (byte character : head) {
            if (character == 0) {
                return true;
            }
            if (character > 0 && character < ' ' && character != '\t' && character != '\n' && character != '\r') {
                controls++;
            }
        }
        return controls * 100L > (long) head.length * MAX_CONTROLS_PERCENT;
    }
}
