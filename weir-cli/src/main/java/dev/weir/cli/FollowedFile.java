package dev.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A file that grows, as a stream without an end: at the end of the file it waits for more. If the file is replaced by another of the
 * same name, it is read until the new one has content, and then the new one from its start; if it is truncated, it is read from its
 * start again. A line that ends with the file is completed. Rotation is noticed as long as the file that is read is not shorter than
 * what was read of it.
 *
 * <p>An interrupt ends a read with an {@link InterruptedIOException}.
 */
final class FollowedFile extends InputStream {
    private static final int HEAD = 1 << 16; // 64 KiB
    private static final int BLOCK = 1 << 20; // 1 MiB
    private static final String FIELDS = "\n#Fields:"; // begins a line with the names of a W3C log's columns

    private final Path path;
    private final long pollNanos;
    private SeekableByteChannel channel;
    private @Nullable Object identity; // null where the file system has none
    private boolean inLine;

    /**
     * Opens a file.
     *
     * @param pollNanos how long to wait at the end before looking again
     */
    FollowedFile(Path path, long pollNanos) throws IOException {
        this.path = path;
        this.pollNanos = pollNanos;
        channel = open();
    }

    /** Opens the file that has the name. Which one that was is certain only if the name has the same identity afterwards. */
    private SeekableByteChannel open() throws IOException {
        while (true) {
            Object before = identity();
            SeekableByteChannel opened = Files.newByteChannel(path);
            if (isNamed(before)) {
                identity = before;
                return opened;
            }
            opened.close();
        }
    }

    /** Returns whether no other file has the name. */
    private boolean isNamed(@Nullable Object file) throws IOException {
        try {
            return Objects.equals(identity(), file);
        } catch (NoSuchFileException renamed) {
            return true; // the next one is not there yet
        }
    }

    private @Nullable Object identity() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /**
     * Moves to the end of the last complete line. To be called before anything is read.
     *
     * @return the first complete lines of what is skipped, at most 64 KiB; if they name fields, and later lines do, too, also the last
     *     of those
     */
    byte[] skipToEnd() throws IOException {
        byte[] head = completeLines(readAt(0, HEAD));
        long size = channel.size();
        int length = (int) Math.min(HEAD, size);
        byte[] tail = readAt(size - length, length);
        int complete = completeLines(tail).length;
        long end = complete == 0 && length < size ? size : size - length + complete;
        byte[] fields = ("\n" + latin1(head)).contains(FIELDS) ? lastFields(head.length, end) : new byte[0];
        channel.position(end);
        return ByteBuffer.allocate(head.length + fields.length)
                .put(head)
                .put(fields)
                .array();
    }

    /** Returns the last line between two positions that names fields; empty if there is none. Reads backwards. */
    private byte[] lastFields(long from, long to) throws IOException {
        for (long end = to; end > from; end -= BLOCK) {
            long begin = Math.max(from, end - BLOCK) - 1; // with the newline before it
            int length = (int) (Math.min(to, end + FIELDS.length()) - begin); // with what begins in this block
            int found = lastIndexOf(FIELDS.getBytes(StandardCharsets.ISO_8859_1), readAt(begin, length));
            if (found >= 0) {
                byte[] line = readAt(begin + found + 1, HEAD);
                return Arrays.copyOf(line, latin1(line).indexOf('\n') + 1);
            }
        }
        return new byte[0];
    }

    private static int lastIndexOf(byte[] searched, byte[] bytes) {
        int start = bytes.length - searched.length;
        while (start >= 0
                && (bytes[start] != searched[0]
                        || !Arrays.equals(bytes, start, start + searched.length, searched, 0, searched.length))) {
            start--;
        }
        return Math.max(-1, start);
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private byte[] readAt(long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        channel.position(position);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // until it is full, or the file ends
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static byte[] completeLines(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        try {
            return readNext(bytes, offset, length);
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted();
        }
    }

    private int readNext(byte[] bytes, int offset, int length) throws IOException {
        while (true) {
            boolean another = isReplaced() || isTruncated(); // looked at before the last read of the old file
            int read = channel.read(ByteBuffer.wrap(bytes, offset, length));
            if (read > 0) {
                inLine = bytes[offset + read - 1] != '\n';
                return read;
            }
            if (another && inLine) {
                inLine = false;
                bytes[offset] = '\n';
                return 1;
            }
            if (!another || !reopen()) {
                await();
            }
        }
    }

    /** Returns whether another file has the name and is written to. While it is empty, the writer may still use the old one. */
    private boolean isReplaced() throws IOException {
        try {
            return !isNamed(identity) && Files.size(path) > 0;
        } catch (NoSuchFileException renamed) {
            return false;
        }
    }

    private boolean isTruncated() throws IOException {
        return channel.size() < channel.position();
    }

    /** Opens the file that now has the name. Returns false if there is none. */
    private boolean reopen() throws IOException {
        try {
            SeekableByteChannel next = open();
            channel.close();
            channel = next;
            return true;
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    private InterruptedIOException interrupted() {
        return new InterruptedIOException("interrupted while reading " + path);
    }

    private void await() throws InterruptedIOException {
        LockSupport.parkNanos(pollNanos);
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
