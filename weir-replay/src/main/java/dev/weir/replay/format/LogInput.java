package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens a log as text: counts bytes, unpacks gzip, drops a byte order mark, and refuses other packed files by name. */
final class LogInput {
    private static final int BUFFER = 1 << 16; // 64 KiB
    /** The bytes at the beginning of a packed file that show how it is packed. */
    static final int MAGIC = 6;

    private static final String GZIP = "gzip";

    private LogInput() {}

    static InputStream open(InputStream in, LongConsumer progress) throws IOException {
        InputStream counted = new Counted(in, progress);
        byte[] magic = counted.readNBytes(MAGIC);
        InputStream whole = rejoin(magic, magic.length, counted);
        String packer = packer(magic);
        if (packer.isEmpty()) {
            return text(whole);
        } else if (!packer.equals(GZIP)) {
            throw new LogException(
                    "the log is packed by " + packer + "; only gzip is unpacked here, so unpack it first");
        }
        try {
            return text(new Unpacked(new GZIPInputStream(new Unending(whole), BUFFER)));
        } catch (EOFException e) {
            throw truncated(e);
        } catch (ZipException e) {
            throw damaged(e);
        }
    }

    private static InputStream text(InputStream in) throws IOException {
        byte[] begin = in.readNBytes(3);
        if (begin.length == 0) {
            throw new LogException("the log is empty");
        }
        byte[] text = withoutMark(begin);
        return rejoin(text, text.length, in);
    }

    /**
     * Returns the beginning of a log without its byte order mark.
     *
     * @throws LogException if it is not UTF-8
     */
    static byte[] withoutMark(byte[] begin) throws LogException {
        if (hasMagic(begin, 0xff, 0xfe) || hasMagic(begin, 0xfe, 0xff)) {
            throw new LogException("the log is UTF-16 text; convert it to UTF-8 first");
        }
        return hasMagic(begin, 0xef, 0xbb, 0xbf) ? Arrays.copyOfRange(begin, 3, begin.length) : begin;
    }

    /** Refuses a log without newlines but with carriage returns, which would be read as one long line. */
    static void requireNewlines(byte[] head) throws LogException {
        int carriageReturn = Bytes.indexOf(head, '\r', 0, head.length);
        if (carriageReturn < head.length - 1 && Bytes.indexOf(head, '\n', 0, head.length) == head.length) {
            throw new LogException(
                    "the log's lines end with a carriage return alone; convert it first, such as with tr '\\r' '\\n'");
        }
    }

    /** A stream that begins with bytes already taken from it. */
    static InputStream rejoin(byte[] head, int length, InputStream rest) {
        return new SequenceInputStream(new ByteArrayInputStream(head, 0, length), rest);
    }

    /** Returns the name of the program that packed a file with this beginning; empty if it is not packed. */
    static String packer(byte[] magic) {
        if (hasMagic(magic, 0x1f, 0x8b)) {
            return GZIP;
        } else if (hasMagic(magic, 0xfd, '7', 'z', 'X', 'Z')) {
            return "xz";
        } else if (hasMagic(magic, 0x28, 0xb5, 0x2f, 0xfd)) {
            return "zstd";
        } else if (hasMagic(magic, 'B', 'Z', 'h')) {
            return "bzip2";
        }
        return hasMagic(magic, 'P', 'K', 3, 4) ? "zip" : "";
    }

    private static boolean hasMagic(byte[] head, int... magic) {
        for (int i = 0; i < magic.length; i++) {
            if (i >= head.length || (head[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    private static LogException truncated(EOFException cause) {
        return new LogException("the gzip data ends too early; was the file cut off?", cause);
    }

    private static LogException damaged(ZipException cause) {
        return new LogException("the gzip data is damaged: " + cause.getMessage(), cause);
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

    /** Always seems to have more; else the JDK's unpacker drops what follows the first member of a file from a pipe. */
    private static final class Unending extends FilterInputStream {
        Unending(InputStream in) {
            super(in);
        }

        @Override
        public int available() {
            return 1;
        }
    }

    private static final class Unpacked extends FilterInputStream {
        Unpacked(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (EOFException e) {
                throw truncated(e);
            } catch (ZipException e) {
                throw damaged(e);
            }
        }
    }
}
