package dev.weir.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one log, in order, to be iterated any number of times. Memory grows with the keys, not with the requests:
 * beyond a million, these are kept in a temporary file, which is deleted when the trace is closed.
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
     * Reads a log to its end; gzip is unpacked. Does not close the stream.
     *
     * @param progress is notified of the bytes taken from {@code in}
     * @throws LogException if the log cannot be used, or more than half of its lines are unreadable and
     *     {@link LogOptions.Builder#skipUnreadable} is not set; the message is for the user
     */
    public static Trace read(InputStream in, LogOptions options, ProgressListener progress) throws IOException {
        return new LogReader(options).read(in, progress);
    }

    /** Returns the number of requests. */
    public long requests() {
        return events.size();
    }

    /** Returns the number of different keys. Their ids count from 0, in the order of their first lines. */
    public int keys() {
        return keys.size();
    }

    /** Returns the text of a key. */
    public String key(int id) {
        return keys.text(id);
    }

    /** Returns the number of lines that were skipped, without blank ones. */
    public long skipped() {
        return skipped;
    }

    /** Returns the first five lines that were skipped. */
    public List<SkippedLine> firstSkipped() {
        return firstSkipped;
    }

    /** Returns what would help to read the skipped lines, such as an option; null if nothing is known to. */
    public @Nullable String hint() {
        return hint;
    }

    /** Passes every request to {@code consumer}, in order. */
    public void forEach(EventConsumer consumer) throws IOException {
        events.forEach(consumer);
    }

    /** Removes the temporary file; closing again does nothing. */
    @Override
    public void close() throws IOException {
        events.close();
    }
}
