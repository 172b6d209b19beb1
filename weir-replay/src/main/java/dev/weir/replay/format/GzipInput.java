package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens a stream that may be gzip, of one member or of several. */
public final class GzipInput {
    private static final int BUFFER = 1 << 16; // 64 KiB
    private static final int TRAILER = 8; // bytes at the end of a member, which the unpacker leaves in its buffer

    private GzipInput() {}

    /**
     * Returns the content of a stream, unpacked if it is gzip. Closing the content does not close the stream. Reads of the content
     * throw a {@link LogException} if the gzip data is cut off, damaged or followed by other data.
     *
     * @param in the stream
     * @param progress is notified of the number of bytes taken from {@code in}
     * @return the content
     * @throws LogException if the gzip data is cut off or damaged; the message is for the user
     * @throws IOException if the stream cannot be read
     */
    public static InputStream open(InputStream in, LongConsumer progress) throws IOException {
        PushbackInputStream whole = new PushbackInputStream(new Counted(in, progress), 2);
        byte[] magic = whole.readNBytes(2);
        whole.unread(magic);
        if (magic.length < 2 || ((magic[0] & 0xff) | (magic[1] & 0xff) << 8) != GZIPInputStream.GZIP_MAGIC) {
            return whole;
        }
        try {
            return new Unpacked(whole);
        } catch (EOFException | ZipException e) {
            throw unusable(e);
        }
    }

    private static LogException unusable(IOException cause) {
        return new LogException(
                cause instanceof EOFException
                        ? "the gzip data ends too early; was the file cut off?"
                        : "the gzip data is damaged: " + cause.getMessage(),
                cause);
    }

    private static final class Counted extends FilterInputStream {
        private final LongConsumer progress;
        private long count;

        Counted(InputStream in, LongConsumer progress) {
            super(in);
            this.progress = progress;
        }

        /** Does nothing: the caller closes the stream. */
        @Override
        public void close() {}

        /** Always seems to have more; else the JDK's unpacker drops what follows the first member of a file from a pipe. */
        @Override
        public int available() {
            return 1;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = in.read(bytes, offset, length);
            if (read > 0) {
                count += read;
                progress.accept(count);
            }
            return read;
        }
    }

    /** The content of all members. The JDK ignores what follows them, such as another log; this throws unless it is zeros. */
    private static final class Unpacked extends GZIPInputStream {
        Unpacked(InputStream packed) throws IOException {
            super(packed, BUFFER);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read;
            try {
                read = super.read(bytes, offset, length);
            } catch (EOFException | ZipException e) {
                throw unusable(e);
            }
            if (read < 0 && !onlyZerosFollow()) {
                throw new LogException(
                        "the gzip data is followed by other data; unpack files before joining them, such as with gzip -cdf");
            }
            return read;
        }

        /** Returns whether nothing follows but zeros, with which tapes and disks fill their blocks. */
        private boolean onlyZerosFollow() throws IOException {
            int rest = 0;
            for (int at = len - inf.getRemaining() + TRAILER; at < len; at++) {
                rest |= buf[at];
            }
            for (int next = 0; next >= 0 && rest == 0; next = in.read()) {
                rest = next;
            }
            return rest == 0;
        }
    }
}
