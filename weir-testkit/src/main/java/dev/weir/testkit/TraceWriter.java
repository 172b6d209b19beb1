package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A listener that writes a trace of a limiter's decisions and refunds, as {@code weir verify} and {@link TraceChecker} read it:
 * lines of {@code time_nanos,key,permits,allowed}, where {@code allowed} is 1, 0, or -1 for a refund. A request that waits is
 * written with the time at which its permits are granted. An unpaired surrogate in a key, which has no UTF-8, is written as the
 * character for private use that is 0x800 above it. Thread-safe; lines of different threads may be out of order.
 *
 * <p>Use one for each limiter: a limiter's limits are verified one at a time.
 */
public final class TraceWriter implements LimiterListener, AutoCloseable {
    private static final int TO_PRIVATE_USE = 0xE000 - 0xD800;

    private final BufferedWriter out;

    /**
     * Creates a writer, and writes the header.
     *
     * @param out receives the trace; closed with this writer
     * @throws UncheckedIOException if writing fails
     */
    public TraceWriter(Writer out) {
        this.out = new BufferedWriter(out);
        write("time_nanos,key,permits,allowed\n");
    }

    /**
     * Creates a writer to a new file.
     *
     * @param file the file, which is replaced if it exists
     * @return the writer
     * @throws UncheckedIOException if the file cannot be written
     */
    public static TraceWriter to(Path file) {
        try {
            return new TraceWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void decided(String limiter, String key, long permits, Decision decision) {
        write(decision.timeNanos() + decision.waitNanos(), key, permits, decision.allowed() ? 1 : 0);
    }

    @Override
    public void refunded(String limiter, String key, long permits, long timeNanos) {
        write(timeNanos, key, permits, -1);
    }

    private void write(long timeNanos, String key, long permits, int allowed) {
        write(timeNanos + "," + quoted(key) + "," + permits + "," + allowed + "\n");
    }

    private synchronized void write(String line) {
        try {
            out.write(line);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String quoted(String key) {
        String text = encodable(key);
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r' || c == ' ');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Replaces unpaired surrogates, which UTF-8 cannot encode: one such key would make every later write fail. */
    private static String encodable(String key) {
        if (key.codePoints().noneMatch(TraceWriter::isSurrogate)) {
            return key;
        }
        StringBuilder text = new StringBuilder();
        key.codePoints().map(c -> isSurrogate(c) ? c + TO_PRIVATE_USE : c).forEach(text::appendCodePoint);
        return text.toString();
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

    /**
     * Writes what is buffered and closes the trace.
     *
     * @throws UncheckedIOException if writing fails
     */
    @Override
    public synchronized void close() {
        try {
            out.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
