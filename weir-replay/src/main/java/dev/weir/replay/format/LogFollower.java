package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A reader of a log that is still written: passes each request on as soon as its line is complete. Memory: constant. */
public final class LogFollower {
    private final LogOptions options;
    private final RequestListener listener;
    private final FormatDetector detector;
    private final Request request = new Request();
    private boolean certain; // whether the options or a line show the format

    private LogFollower(LogOptions options, RequestListener listener) {
        this.options = options;
        this.listener = listener;
        this.detector = new FormatDetector(options);
        this.certain = options.format() != LogFormat.AUTO;
    }

    /**
     * Reads a log until the stream ends. The format is detected by the first lines, unless the options name it; if they only look like
     * a format, such as messages of a server that starts, by the first line that has one. Does not close the stream. The order of the
     * options is not used: requests are passed on in the order of their lines.
     *
     * @param head the beginning of the log, complete lines, and perhaps a later {@code #Fields} line; it shows the format and the header,
     *     and its requests are not passed on; empty if the stream is at the beginning of the log
     * @param in the log from there on, in UTF-8; it may block until there is more
     * @param options how to read it
     * @param listener is notified of the requests
     * @throws LogException if the log cannot be used, or if the options do not fit its format; the message is for the user
     * @throws IOException if the stream cannot be read
     */
    public static void follow(byte[] head, InputStream in, LogOptions options, RequestListener listener)
            throws IOException {
        new LogFollower(options, listener).follow(head, in);
    }

    private void follow(byte[] head, InputStream rest) throws IOException {
        InputStream in = head.length > 0 ? rest : LogInput.withoutZeros(rest);
        byte[] magic = head.length > 0 ? head : in.readNBytes(LogInput.MAGIC);
        String packer = LogInput.packer(magic);
        if (!packer.isEmpty()) {
            throw new LogException("compressed logs are not followed, and this one is packed by " + packer
                    + "; unpack it, or use weir replay, which reads gzip");
        }
        byte[] text = LogInput.withoutMark(magic);
        if (head.length > 0) {
            LogFormat format = FormatDetector.require(text, options);
            LineReader known = new LineReader(new ByteArrayInputStream(text));
            LineParser parser = new LineParsers(options).of(format, known);
            while (known.next()) { // directives, such as the names of fields
                certain |= LogReader.parse(known, parser, request) == null;
            }
            readAll(new LineReader(in), parser);
        } else {
            follow(LogInput.rejoin(text, text.length, in));
        }
    }

    /** Reads a log from its beginning. */
    private void follow(InputStream in) throws IOException {
        byte[] first = new byte[FormatDetector.HEAD];
        int length = 0;
        LogFormat format = options.format() == LogFormat.AUTO ? null : options.format();
        while (format == null) {
            int read = length == first.length ? -1 : in.read(first, length, first.length - length);
            if (read < 0 && length == 0) {
                return;
            }
            length += Math.max(0, read);
            byte[] lines = completeLines(first, length);
            if (read < 0) {
                format = FormatDetector.require(Arrays.copyOf(first, length), options);
            } else {
                format = FormatDetector.isEnough(lines)
                        ? FormatDetector.require(lines, options)
                        : detector.detect(lines);
            }
        }
        LineReader lines = new LineReader(LogInput.rejoin(first, length, in));
        readAll(lines, new LineParsers(options).of(format, lines));
    }

    /** Returns the bytes up to the last newline. */
    private static byte[] completeLines(byte[] bytes, int length) {
        int end = length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    private void readAll(LineReader lines, LineParser first) throws IOException {
        LineParser parser = first;
        while (lines.next()) {
            Refusal refusal = LogReader.parse(lines, parser, request);
            if (!certain && refusal != null && !Refusal.IGNORED.equals(refusal)) {
                LogFormat shown = detector.formatOf(lines);
                if (shown != null) {
                    parser = new LineParsers(options).of(shown, lines);
                    refusal = LogReader.parse(lines, parser, request);
                    certain = true;
                }
            }
            if (refusal == null) {
                certain = true;
                refusal = request.checkKey();
            }
            if (refusal == null) {
                listener.request(request.timeNanos, request.keyText(), request.permits);
            } else if (!Refusal.IGNORED.equals(refusal)) {
                listener.skipped(refusal.skipped(lines));
            }
        }
    }
}
