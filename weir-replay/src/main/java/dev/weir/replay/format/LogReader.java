package dev.weir.replay.format;

import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import dev.weir.replay.trace.TraceBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A reader of logs: unpacks a log, detects its format, and reads the request in each line. */
public final class LogReader {
    private static final Refusal TOO_LONG = Refusal.unreadable("longer than 64 KiB");
    private static final Refusal UNCLOSED = Refusal.unreadable("a quote that is not closed within 64 KiB");

    private final LogOptions options;
    private final TraceBuilder trace;
    private final boolean ordersByTime;
    private final Request request;
    private final SkippedLines skipped = new SkippedLines();
    private long latest = Long.MIN_VALUE;

    private LogReader(LogOptions options, TraceBuilder trace) {
        this.options = options;
        this.trace = trace;
        this.ordersByTime = options.order() == Order.TIME;
        this.request = new Request(trace);
    }

    /**
     * Reads a log to its end and unpacks it if it is gzip. Does not close the stream. Lines that are not requests are skipped.
     *
     * @param in the log, in UTF-8
     * @param options how to read it
     * @param progress is notified of the number of bytes taken from {@code in}
     * @return the requests, at least one
     * @throws LogException if the log cannot be used, if the options do not fit its format, or if more than half of its lines are
     *     unreadable and {@link LogOptions.Builder#skipUnreadable} is not set; the message is for the user
     * @throws IOException if the stream cannot be read
     */
    public static Trace read(InputStream in, LogOptions options, LongConsumer progress) throws IOException {
        try (TraceBuilder trace = new TraceBuilder()) {
            return new LogReader(options, trace).read(LogInput.open(in, progress));
        }
    }

    private Trace read(InputStream text) throws IOException {
        byte[] head = text.readNBytes(FormatDetector.HEAD);
        LogFormat format = FormatDetector.require(head, options);
        LineReader lines = new LineReader(LogInput.rejoin(head, head.length, text));
        readAll(lines, new LineParsers(options).of(format, lines));
        check(trace.requests(), head, format);
        return trace.build(skipped.count(), skipped.first(), skipped.hint());
    }

    private void readAll(LineReader lines, LineParser parser) throws IOException {
        while (lines.next()) {
            Refusal refusal = parse(lines, parser, request);
            if (refusal == null) {
                refusal = add();
            }
            if (refusal != null && !Refusal.IGNORED.equals(refusal)) {
                skipped.add(lines, refusal);
            }
        }
    }

    /** Adds the request to the trace; returns null if it did, otherwise why not. */
    private @Nullable Refusal add() throws LogException {
        long time = ordersByTime ? request.timeNanos : Math.max(latest, request.timeNanos);
        Refusal refusal = request.addTo(trace, time);
        latest = refusal == null ? time : latest;
        return refusal;
    }

    /**
     * Parses the record that begins in the current line. If it is none, the reader stays at this line; the further lines of a record that
     * only has no key, for example, are what a client sent in one of its fields.
     */
    static @Nullable Refusal parse(LineReader lines, LineParser parser, Request request) throws IOException {
        if (lines.tooLong()) {
            return TOO_LONG;
        } else if (lines.isBlank()) {
            return Refusal.IGNORED;
        }
        boolean whole = extend(lines, parser);
        Refusal refusal = whole ? parser.parse(lines.bytes(), lines.start(), lines.end(), request) : UNCLOSED;
        if (!whole || Refusal.NOT_A_RECORD.equals(refusal)) {
            lines.retract();
        }
        return refusal;
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
            default -> LineParsers.NO_LINES;
        };
    }

    private String none(byte[] head, LogFormat format) throws IOException {
        LogFormat detected = new FormatDetector(options).detect(head);
        boolean other = detected != null && !detected.name().equals(format.name());
        String unusable = skipped.count() == 1
                ? "the log's only line cannot be used"
                : "none of the log's " + skipped.count() + " lines can be used";
        return unusable + ", read as " + format.name() + example() + (other ? "; it looks like " + detected : "");
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
