package dev.weir.replay;

import dev.weir.replay.LogOptions.Order;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads one log into a trace: opens it, detects its format, and parses line by line. */
final class LogReader {
    private static final int HEAD = 1 << 16; // 64 KiB, in which the format must show
    private static final Refusal TOO_LONG = Refusal.unreadable("longer than 64 KiB");
    private static final Refusal KEY_TOO_LONG = Refusal.unreadable("key longer than 1 KiB");
    private static final Refusal UNCLOSED = Refusal.unreadable("a quote that is not closed within 64 KiB");

    private final LogOptions options;
    private final KeyTable keys = new KeyTable();
    private final Request request = new Request();
    private final SkippedLines skipped = new SkippedLines();
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
            readAll(lines, new LineParsers(options).of(format, lines), events);
            check(events.size(), head, format);
            events.complete();
            return new Trace(keys, events, skipped);
        } catch (Throwable e) {
            events.close();
            throw e;
        }
    }

    private LogFormat format(byte[] head) throws IOException {
        if (options.format() != LogFormat.AUTO) {
            return options.format();
        }
        LogFormat detected = new FormatDetector(options).detect(head);
        if (detected == null) {
            throw new LogException(FormatDetector.refusal(head));
        }
        return detected;
    }

    private void readAll(LineReader lines, LineParser parser, EventStore events) throws IOException {
        while (lines.next()) {
            Refusal refusal = lines.tooLong() ? TOO_LONG : read(lines, parser, events);
            if (refusal != null) {
                skipped.add(lines, refusal);
            }
        }
    }

    /** Reads the record that begins in the current line; returns null if it did, or if there is none. */
    private @Nullable Refusal read(LineReader lines, LineParser parser, EventStore events) throws IOException {
        if (Bytes.isBlank(lines.bytes(), lines.start(), lines.end())) {
            return null;
        }
        boolean whole = extend(lines, parser);
        Refusal refusal = whole ? parser.parse(lines.bytes(), lines.start(), lines.end(), request) : UNCLOSED;
        if (refusal != null) {
            lines.retract();
            return Refusal.DIRECTIVE.equals(refusal) ? null : refusal;
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

    /** Refuses a log with no request, or of which more than half of the lines are unreadable. */
    private void check(long requests, byte[] head, LogFormat format) throws IOException {
        if (requests == 0 && skipped.count() == 0) {
            throw new LogException(empty(format));
        }
        long lines = requests + skipped.count();
        boolean mostUnreadable = skipped.unreadable() > lines - skipped.unreadable();
        if (requests > 0 && (options.skipsUnreadable() || !mostUnreadable)) {
            return;
        }
        if (FormatDetector.isBinary(head)) {
            throw new LogException(FormatDetector.BINARY);
        }
        throw new LogException(requests == 0 ? none(head, format) : most(lines, format));
    }

    private static String empty(LogFormat format) {
        return switch (format.kind()) {
            case CSV -> "the csv has a header but no records";
            case PRESET -> "the log has no requests, only blank lines and headers";
            default -> FormatDetector.NO_LINES;
        };
    }

    private String none(byte[] head, LogFormat format) throws IOException {
        LogFormat detected = new FormatDetector(options).detect(head);
        boolean other = detected != null && !detected.name().equals(format.name());
        return "none of the log's " + skipped.count() + " lines can be used, read as " + format.name() + example()
                + (other ? "; it looks like " + detected : "");
    }

    private String most(long lines, LogFormat format) {
        return skipped.unreadable() + " of the log's " + lines + " lines cannot be read as " + format.name() + example()
                + "; --skip-unreadable skips them";
    }

    private String example() {
        SkippedLine example = skipped.example();
        String hint = skipped.hint();
        return "; line " + example.number() + ": " + example.reason() + ": " + example.excerpt()
                + (hint == null ? "" : "; " + hint);
    }
}
