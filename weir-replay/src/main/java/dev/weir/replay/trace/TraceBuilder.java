package dev.weir.replay.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A builder of a {@link Trace}, which takes one request after the other. Not thread-safe. */
public final class TraceBuilder implements AutoCloseable {
    private static final int RUN = 1 << 20; // requests in memory, 20 bytes each

    private final KeyTable keys = new KeyTable();
    private final Path directory;
    private EventBuffer buffer;
    private @Nullable RunFile file;
    private long requests;
    private boolean built;

    /** Creates a builder without requests. */
    public TraceBuilder() {
        this(RUN, Path.of(System.getProperty("java.io.tmpdir")));
    }

    TraceBuilder(int runSize, Path directory) {
        this.directory = directory;
        this.buffer = new EventBuffer(runSize);
    }

    /**
     * Returns the number of a key, which is added if it is new.
     *
     * @param bytes contains the key in UTF-8
     * @param from where the key begins
     * @param to where it ends
     * @return the number of the key
     * @throws LogException if there are too many keys
     */
    public int key(byte[] bytes, int from, int to) throws LogException {
        return keys.id(bytes, from, to);
    }

    /**
     * Returns the number of a key that was added.
     *
     * @param bytes contains the key in UTF-8
     * @param from where the key begins
     * @param to where it ends
     * @return the number of the key, or -1 if there is none
     */
    public int find(byte[] bytes, int from, int to) {
        return keys.find(bytes, from, to);
    }

    /**
     * Adds a request.
     *
     * @param timeNanos nanoseconds since the epoch, in any order
     * @param key the number of the key
     * @param permits the number of permits, at least 1
     * @throws LogException if the temporary file cannot be written
     */
    public void add(long timeNanos, int key, long permits) throws LogException {
        if (buffer.isFull()) {
            spill();
        }
        buffer.add(timeNanos, key, permits);
        requests++;
    }

    private void spill() throws LogException {
        if (file == null) {
            file = new RunFile(directory);
        }
        buffer.sort();
        file.write(buffer);
        buffer.clear();
    }

    /** {@return the number of requests so far} */
    public long requests() {
        return requests;
    }

    /**
     * Sorts the requests and returns them as a trace.
     *
     * @param skipped the number of lines that were skipped
     * @param first the first of them
     * @param hint advice on how to read them; null if there is none
     * @return the trace, which the caller closes
     * @throws LogException if the temporary file cannot be written
     */
    public Trace build(long skipped, List<SkippedLine> first, @Nullable String hint) throws LogException {
        if (file == null) {
            buffer.sort();
        } else {
            spill();
            buffer = new EventBuffer(0); // the memory of the other is not needed any more
        }
        built = true;
        return new Trace(keys, buffer, file, requests, skipped, first, hint);
    }

    /**
     * Deletes the temporary file unless a trace was built.
     *
     * @throws IOException if the file cannot be closed
     */
    @Override
    public void close() throws IOException {
        if (!built && file != null) {
            file.close();
        }
    }
}
