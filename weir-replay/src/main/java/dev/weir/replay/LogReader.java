package dev.weir.replay;

import dev.weir.replay.LogOptions.Order;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one log into a trace: opens it, finds its format, and parses line by line. */
final class LogReader {
    private static final int HEAD = 1 << 16; // 64 KiB, in which the format must show
    private static final int MAX_SHOWN = 5;
    private static final String TOO_LONG = "longer than 64 KiB";
    private static final String KEY_TOO_LONG = "key longer than 1 KiB";
    private static final String UNCLOSED = "a quote that is not closed within 64 KiB";

    private final LogOptions options;
    private final KeyTable keys = new KeyTable();
    private final Request request = new Request();
    private final List<SkippedLine> firstSkipped = new ArrayList<>();
    private long skipped;
    private long latest = Long.MIN_VALUE;

    LogReader(LogOptions options) {
        this.options = options;
    }

    Trace read(InputStream in, ProgressListener progress) throws IOException {
        InputStream text = LogInput.open(in, progress);
        byte[] head = text.readNBytes(HEAD);
        LogFormat format = format(head);
        LineReader lines = new LineReader(LogInput.rejoin(head, head.length, text));
        EventStore events = new EventStore();
        try {
            readAll(lines, parser(format, lines), events);
            if (events.size() == 0) {
                throw nothingReadable(head, format);
            }
            events.complete();
            return new Trace(keys, events, skipped, firstSkipped);
        } catch (Throwable e) {
            events.close();
            throw e;
        }
    }

    private LogFormat format(byte[] head) throws IOException {
        if (options.format() != LogFormat.AUTO) {
            return options.format();
        }
        LogFormat detected = FormatDetector.detect(head, time(new ClfTime()));
        if (detected == null) {
            throw new LogException(FormatDetector.refusal(head));
        }
        return detected;
    }

    private TimeParser time(TimeParser usual) {
        return options.timeFormat() == null ? usual : new PatternTime(options.timeFormat());
    }

    private LineParser parser(LogFormat format, LineReader lines) throws IOException {
        return switch (format.kind()) {
            case AUTO -> throw new IllegalStateException("the format is detected before this");
            case COMBINED -> new CombinedParser(combinedKey(), time(new ClfTime()));
            case CSV -> new CsvParser(header(lines), options.key(), time(new AnyTime()));
            case JSONL -> new JsonlParser(options.key(), time(new AnyTime()));
            case REGEX -> new RegexParser(Objects.requireNonNull(format.pattern()), time(new AnyTime()));
        };
    }

    private CombinedParser.KeyPart combinedKey() throws LogException {
        return switch (options.key()) {
            case "ip" -> CombinedParser.KeyPart.IP;
            case "user" -> CombinedParser.KeyPart.USER;
            case "path" -> CombinedParser.KeyPart.PATH;
            default ->
                throw new LogException(
                        "the key of a combined log must be ip, user or path, was '" + Excerpt.of(options.key()) + "'");
        };
    }

    private static String header(LineReader lines) throws IOException {
        while (lines.next()) {
            if (!Bytes.isBlank(lines.bytes(), lines.start(), lines.end())) {
                return new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8);
            }
        }
        throw new LogException(FormatDetector.NO_LINES);
    }

    private void readAll(LineReader lines, LineParser parser, EventStore events) throws IOException {
        while (lines.next()) {
            String refusal = lines.tooLong() ? TOO_LONG : read(lines, parser, events);
            if (refusal != null) {
                skip(lines, refusal);
            }
        }
    }

    /** Takes the record that begins in the current line; null if it did, or if there is none. */
    private @Nullable String read(LineReader lines, LineParser parser, EventStore events) throws IOException {
        if (Bytes.isBlank(lines.bytes(), lines.start(), lines.end())) {
            return null;
        }
        boolean whole = extend(lines, parser);
        String refusal = whole ? parser.parse(lines.bytes(), lines.start(), lines.end(), request) : UNCLOSED;
        if (refusal != null) {
            lines.retract();
            return refusal;
        }
        int id = keys.id(request.key, request.keyFrom, request.keyTo);
        if (id == KeyTable.TOO_LONG) {
            return KEY_TOO_LONG;
        }
        latest = options.order() == Order.FILE ? Math.max(latest, request.timeNanos) : request.timeNanos;
        events.add(latest, id, request.permits);
        return null;
    }

    /** Makes the current line the whole record that begins in it; false if that has no end. */
    private static boolean extend(LineReader lines, LineParser parser) throws IOException {
        boolean open = parser.isOpen(lines.bytes(), lines.start(), lines.end(), false);
        while (open) {
            int seen = lines.end() - lines.start();
            if (!lines.extend()) {
                return false;
            }
            open = parser.isOpen(lines.bytes(), lines.start() + seen, lines.end(), true);
        }
        return true;
    }

    private void skip(LineReader lines, String reason) {
        skipped++;
        if (firstSkipped.size() < MAX_SHOWN) {
            String excerpt = Excerpt.of(lines.bytes(), lines.start(), lines.end());
            firstSkipped.add(new SkippedLine(lines.number(), reason, excerpt));
        }
    }

    private LogException nothingReadable(byte[] head, LogFormat format) throws IOException {
        if (skipped == 0) {
            return new LogException(
                    format == LogFormat.CSV ? "the csv has a header but no records" : FormatDetector.NO_LINES);
        }
        if (FormatDetector.isBinary(head)) {
            return new LogException(FormatDetector.BINARY);
        }
        SkippedLine first = firstSkipped.get(0);
        LogFormat detected = FormatDetector.detect(head, time(new ClfTime()));
        boolean other = detected != null && detected != format;
        return new LogException(
                "none of the log's " + skipped + " lines can be used, read as " + format.name() + "; line "
                        + first.number() + ": " + first.reason() + ": " + first.excerpt()
                        + (other ? "; it looks like " + detected : ""));
    }
}
