package dev.weir.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The requests of one log, in order, as often as wanted. Memory grows with the keys, not with the requests: beyond a
 * million of these they wait in a temporary file, which goes when the trace is closed.
 */
public final class Trace implements AutoCloseable {
    private final KeyTable keys;
    private final EventStore events;
    private final long skipped;
    private final List<SkippedLine> firstSkipped;

    Trace(KeyTable keys, EventStore events, long skipped, List<SkippedLine> firstSkipped) {
        this.keys = keys;
        this.events = events;
        this.skipped = skipped;
        this.firstSkipped = List.copyOf(firstSkipped);
    }

    /**
     * Reads a log to its end; gzip is unpacked. Does not close the stream.
     *
     * @param progress hears the bytes taken from {@code in}
     * @throws LogException if it is no log that can be used; the message is for the user
     */
    public static Trace read(InputStream in, LogOptions options, ProgressListener progress) throws IOException {
        return new LogReader(options).read(in, progress);
    }

    /** How many requests there are. */
    public long requests() {
        return events.size();
    }

    /** How many different keys asked; their ids are 0 to this, in the order of their first line. */
    public int keys() {
        return keys.size();
    }

    /** The text of a key. */
    public String key(int id) {
        return keys.text(id);
    }

    /** How many lines were not counted, blank ones aside. */
    public long skipped() {
        return skipped;
    }

    /** The first five lines that were not counted. */
    public List<SkippedLine> firstSkipped() {
        return firstSkipped;
    }

    /** Hands every request to {@code consumer}, in order. */
    public void forEach(EventConsumer consumer) throws IOException {
        events.forEach(consumer);
    }

    /** Removes the temporary file; closing again does nothing. */
    @Override
    public void close() throws IOException {
        events.close();
    }
}
