package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** Opens a log as text: unpacks gzip, drops zeros and a byte order mark at its start, and refuses other packed files by name. */
final class LogInput {
    /** The bytes at the beginning of a packed file that show how it is packed. */
    static final int MAGIC = 6;

    private static final String GZIP = "gzip";
    private static final int BUFFER = 1 << 16; // 64 KiB

    private LogInput() {}

    static InputStream open(InputStream in, LongConsumer progress) throws IOException {
        InputStream content = withoutZeros(GzipInput.open(in, progress));
        byte[] begin = content.readNBytes(MAGIC);
        if (begin.length == 0) {
            throw new LogException("the log is empty");
        }
        String packer = packer(begin);
        if (!packer.isEmpty() && !packer.equals(GZIP)) {
            throw new LogException(
                    "the log is packed by " + packer + "; only gzip is unpacked here, so unpack it first");
        }
        byte[] text = withoutMark(begin);
        return rejoin(text, text.length, content);
    }

    /**
     * Returns a log without the zeros at its start. A file has them if it is truncated, as by logrotate's copytruncate, while a program
     * that does not append writes to it.
     */
    static InputStream withoutZeros(InputStream in) throws IOException {
        byte[] buffer = new byte[BUFFER];
        int from;
        int length;
        do {
            length = in.read(buffer);
            from = 0;
            while (from < length && buffer[from] == 0) {
                from++;
            }
        } while (from == length);
        return length < 0 ? in : rejoin(Arrays.copyOfRange(buffer, from, length), length - from, in);
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

    /** Refuses a log with carriage returns but no newlines, except at its end, which would be read as one long line. */
    static void requireNewlines(byte[] head) throws LogException {
        int end = head.length > 0 && head[head.length - 1] == '\n' ? head.length - 1 : head.length;
        if (Bytes.indexOf(head, '\r', 0, end) < end - 1 && Bytes.indexOf(head, '\n', 0, end) == end) {
            throw new LogException(
                    "the log's lines end with a carriage return alone; convert it first, such as with tr '\\r' '\\n'");
        }
    }

    /** Returns a stream that begins with bytes already taken from it. */
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
}
