package dev.weir.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Sorted runs of requests in a temporary file, which is deleted when it is closed or the process ends. A request takes three
 * to ten bytes as a rule: the key's number, the permits if they are not 1, and the time to the next one.
 */
final class RunFile implements AutoCloseable {
    static final int MAX_EVENT = 5 + 9 + 10; // numbers of 33, 63 and 64 bits, seven to a byte

    private static final int BUFFER = 1 << 16; // 64 KiB

    private final Path directory;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
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

    /** Appends a sorted buffer: of each request the key and permits, then the time from it to the next one. */
    Run write(EventBuffer events) throws LogException {
        long offset = size;
        int last = events.size() - 1;
        for (int i = 0; i <= last; i++) {
            if (buffer.remaining() < MAX_EVENT) {
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
        return new Run(offset, events.size(), events.time(0));
    }

    private void putNumber(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }

    private void flush() throws LogException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                size += channel.write(buffer, size);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        buffer.clear();
    }

    /** Reads on at {@code position} into a buffer that has room. */
    int read(ByteBuffer into, long position) throws LogException {
        try {
            return channel.read(into, position);
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
                "the log is too long for memory, and the temporary file for it in " + directory + " fails: " + cause,
                cause);
    }

    /**
     * The position of a run.
     *
     * @param offset its first byte
     * @param events how many requests it has
     * @param firstTime the time of the first
     */
    record Run(long offset, int events, long firstTime) {}
}
