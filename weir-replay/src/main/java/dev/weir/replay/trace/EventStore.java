package dev.weir.replay.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * All requests of a log by time, those of one instant as they came. Up to {@link #RUN} of them stay in memory; more are
 * sorted in runs of that many, which wait in a file and are merged whenever they are wanted.
 */
final class EventStore implements AutoCloseable {
    static final int RUN = 1 << 20; // requests, 20 bytes each

    private final Path directory;
    private EventBuffer buffer;
    private final List<RunFile.Run> runs = new ArrayList<>();
    private @Nullable RunFile file;
    private long size;
    private boolean closed;

    EventStore(int runSize) {
        this(runSize, Path.of(System.getProperty("java.io.tmpdir")));
    }

    EventStore(int runSize, Path directory) {
        this.directory = directory;
        buffer = new EventBuffer(runSize);
    }

    long size() {
        return size;
    }

    void add(long timeNanos, int key, long permits) throws LogException {
        if (buffer.isFull()) {
            spill();
        }
        buffer.add(timeNanos, key, permits);
        size++;
    }

    /** Sorts the requests; none can be added afterwards. */
    void complete() throws LogException {
        if (runs.isEmpty()) {
            buffer.sort();
        } else {
            spill();
            buffer = new EventBuffer(0);
        }
    }

    void forEach(EventConsumer consumer) throws IOException {
        if (closed) {
            throw new IllegalStateException("the trace is closed");
        }
        for (int i = 0; i < buffer.size(); i++) {
            consumer.accept(buffer.time(i), buffer.key(i), buffer.permits(i));
        }
        if (file != null) {
            merge(file, consumer);
        }
    }

    /** Runs that begin later wait unopened, so a log that is almost in order has one or two open at a time. */
    private void merge(RunFile from, EventConsumer consumer) throws IOException {
        PriorityQueue<RunFile.Cursor> cursors = new PriorityQueue<>();
        for (int i = 0; i < runs.size(); i++) {
            cursors.add(new RunFile.Cursor(from, runs.get(i), i, runs.size()));
        }
        for (RunFile.Cursor first = cursors.poll(); first != null; first = cursors.poll()) {
            if (first.forEachBefore(cursors.peek(), consumer)) {
                cursors.add(first);
            }
        }
    }

    private void spill() throws LogException {
        if (file == null) {
            file = new RunFile(directory);
        }
        buffer.sort();
        runs.add(file.write(buffer));
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (file != null) {
            file.close();
        }
    }
}
