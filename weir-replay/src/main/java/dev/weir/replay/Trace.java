package dev.weir.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one log, which can be replayed any number of times. Not thread-safe.
 *
 * <p>Memory grows with the number of keys, not with the number of requests: if there are more than about a million (2^20), the
 * requests are kept in a temporary file in {@code java.io.tmpdir}, which is deleted when the trace is closed.
 */
public final class Trace implements AutoCloseable {
    private final KeyTable keys;
    private final EventStore events;
    private final long skipped;
    private final List<SkippedLine> firstSkipped;
    private final @Nullable String hint;

    Trace(KeyTable keys, EventStore events, SkippedLines skipped) {
        this.keys = keys;
        this.events = events;
        this.skipped = skipped.count();
        this.firstSkipped = skipped.first();
        this.hint = skipped.hint();
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
    public static Trace read(InputStream in, LogOptions options, ProgressListener progress) throws IOException {
        return new LogReader(options).read(in, progress);
    }

    /** {@return the number of requests} */
    public long requests() {
        return events.size();
    }

    /** {@return the number of different keys} */
    public int keys() {
        return keys.size();
    }

    /** Returns the text of a key. Ids count from 0, in the order of the keys' first lines. */
    String key(int id) {
        return keys.text(id);
    }

    /** {@return the number of skipped lines, without blank lines and directives} */
    public long skipped() {
        return skipped;
    }

    /** {@return the first skipped lines, at most five} */
    public List<SkippedLine> firstSkipped() {
        return firstSkipped;
    }

    /** {@return advice for the user on how to read the skipped lines, such as an option; null if there is none} */
    public @Nullable String hint() {
        return hint;
    }

    /** Passes every request to {@code consumer}, in order. */
    void forEach(EventConsumer consumer) throws IOException {
        events.forEach(consumer);
    }

    /**
     * Deletes the temporary file, if there is one. The trace cannot be replayed afterwards. Has no effect if it was closed before.
     *
     * @throws IOException if the file cannot be closed
     */
    @Override
    public void close() throws IOException {
        events.close();
    }
}
