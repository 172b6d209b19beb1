package dev.weir.replay.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorted runs of requests in a temporary file, which is deleted when it is closed or the process ends. A request takes three
 * to ten bytes as a rule: the key's number, the permits if they are not 1, and the time to the next one.
 */
final class RunFile implements AutoCloseable {
    static final int MAX_EVENT = 5 + 9 + 10; // numbers of 33, 63 and 64 bits, seven to a byte

    private static final int BUFFER = 1 << 16; // 64 KiB

    private final Path directory;
    private final FileChannel channel;
    private final List<Run> runs = new ArrayList<>();
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private long size;

    RunFile(Path directory) throws LogException {
        this.directory = directory;
        try {
            Path path = Files.createTempFile(directory, "weir-", ".run");
            channel = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Appends a sorted buffer as a run: of each request the key and permits, then the time from it to the next one. */
    void write(EventBuffer events) throws LogException {
        long offset = size;
        int last = events.size() - 1;
        for (int i = 0; i <= last; i++) {
            if (buffer.length - filled < MAX_EVENT) {
                flush();
            }
            long permits = events.permits(i);
            putNumber(((long) events.key(i) << 1) | (permits == 1 ? 0 : 1));
            if (permits != 1) {
                putNumber(permits);
            }
            putNumber(events.time(Math.min(i + 1, last)) - events.time(i));
        }
        flush();
        runs.add(new Run(offset, events.size(), events.time(0)));
    }

    private void putNumber(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer[filled++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[filled++] = (byte) rest;
    }

    private void flush() throws LogException {
        ByteBuffer rest = ByteBuffer.wrap(buffer, 0, filled);
        try {
            while (rest.hasRemaining()) {
                size += channel.write(rest, size);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        filled = 0;
    }

    /**
     * Passes on the requests of all runs by time. Runs that begin later wait unopened, so a log that is almost in order has one or
     * two open at a time.
     */
    void forEach(EventConsumer consumer) throws LogException {
        PriorityQueue<Cursor> cursors = new PriorityQueue<>();
        for (int i = 0; i < runs.size(); i++) {
            cursors.add(new Cursor(this, i));
        }
        for (Cursor first = cursors.poll(); first != null; first = cursors.poll()) {
            if (first.forEachBefore(cursors.peek(), consumer)) {
                cursors.add(first);
            }
        }
    }

    /** Reads bytes from a position of the file on into a buffer from an index on; returns their number, or -1 at the end. */
    private int read(byte[] into, int from, long position) throws LogException {
        try {
            return channel.read(ByteBuffer.wrap(into, from, into.length - from), position);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private LogException failed(IOException cause) {
        return new LogException(
                "the log is too long for memory, and the temporary file for it in " + directory + " fails: " + cause
                        + "; JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR puts it elsewhere",
                cause);
    }

    /**
     * The position of a run.
     *
     * @param offset its first byte
     * @param events how many requests it has
     * @param firstTime the time of the first
     */
    private record Run(long offset, int events, long firstTime) {}

    /** A position in a run. Cursors are ordered by the time of their next request. */
    private static final class Cursor implements Comparable<Cursor> {
        private static final int MAX_BUFFER = 1 << 16; // 64 KiB
        private static final int MIN_BUFFER = 1 << 12; // 4 KiB
        private static final int ALL_BUFFERS = 1 << 25; // 32 MiB

        private final RunFile file;
        private final int number; // runs are numbered as the log has them
        private final int bufferSize;
        private byte[] buffer = {}; // until the run is needed
        private int next; // in the buffer
        private int filled;
        private long position;
        private int left;
        private long time;

        /** A cursor at the beginning of a run. */
        Cursor(RunFile file, int number) {
            Run run = file.runs.get(number);
            this.file = file;
            this.number = number;
            this.bufferSize = Math.max(MIN_BUFFER, Math.min(MAX_BUFFER, ALL_BUFFERS / file.runs.size()));
            this.position = run.offset();
            this.left = run.events();
            this.time = run.firstTime();
        }

        /** Passes on requests, at least one, until another cursor has an earlier one. Returns whether any are left. */
        boolean forEachBefore(@Nullable Cursor other, EventConsumer consumer) throws LogException {
            do {
                long eventTime = time;
                if (filled - next < MAX_EVENT) {
                    fill();
                }
                long key = number();
                long permits = (key & 1) == 0 ? 1 : number();
                time += number();
                left--;
                consumer.accept(eventTime, (int) (key >>> 1), permits);
            } while (left > 0 && (other == null || compareTo(other) < 0));
            return left > 0;
        }

        @Override
        public int compareTo(Cursor other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Integer.compare(number, other.number);
        }

        private long number() {
            long value = 0;
            int shift = 0;
            byte part;
            do {
                part = buffer[next++];
                value |= (part & 0x7fL) << shift;
                shift += 7;
            } while (part < 0);
            return value;
        }

        private void fill() throws LogException {
            buffer = buffer.length == 0 ? new byte[bufferSize] : buffer;
            filled -= next;
            System.arraycopy(buffer, next, buffer, 0, filled);
            next = 0;
            int read = 0;
            while (read >= 0 && filled < MAX_EVENT) {
                read = file.read(buffer, filled, position);
                filled += Math.max(read, 0);
                position += Math.max(read, 0);
            }
        }
    }
}
