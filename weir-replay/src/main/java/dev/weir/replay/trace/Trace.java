package dev.weir.replay.trace;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one log, which can be replayed any number of times. Not thread-safe.
 *
 * <p>Memory grows with the number of keys, not with the number of requests: if there are more than about a million (2^20), the
 * requests are kept in a temporary file in {@code java.io.tmpdir}, which is deleted when the trace is closed.
 */
public final class Trace implements AutoCloseable {
    private final KeyTable keys;
    private final EventBuffer buffer;
    private final @Nullable RunFile file;
    private final long requests;
    private final long skipped;
    private final List<SkippedLine> firstSkipped;
    private final @Nullable String hint;
    private boolean closed;

    /**
     * Creates a trace.
     *
     * @param buffer the requests, sorted; empty if they are in a file
     * @param file contains the requests; null if they are in the buffer
     */
    Trace(
            KeyTable keys,
            EventBuffer buffer,
            @Nullable RunFile file,
            long requests,
            long skipped,
            List<SkippedLine> firstSkipped,
            @Nullable String hint) {
        this.keys = keys;
        this.buffer = buffer;
        this.file = file;
        this.requests = requests;
        this.skipped = skipped;
        this.firstSkipped = List.copyOf(firstSkipped);
        this.hint = hint;
    }

    /** {@return the number of requests} */
    public long requests() {
        return requests;
    }

    /** {@return the number of different keys} */
    public int keys() {
        return keys.size();
    }

    /**
     * Returns the text of a key.
     *
     * @param id the number of the key, from 0 in the order in which the keys were added
     * @return the text
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public String key(int id) {
        return keys.text(id);
    }

    /**
     * Returns the keys with the highest counts, highest first and then by their texts. Keys with a count of 0 are left out.
     *
     * @param countByKey a count for each key
     * @param most the largest number of keys to return
     * @return the numbers of the keys
     */
    public List<Integer> top(long[] countByKey, int most) {
        Comparator<Integer> order = Comparator.<Integer>comparingLong(id -> countByKey[id])
                .reversed()
                .thenComparing(this::key);
        PriorityQueue<Integer> top = new PriorityQueue<>(order.reversed());
        for (int id = 0; id < countByKey.length; id++) {
            if (countByKey[id] > 0) {
                top.add(id);
                if (top.size() > most) {
                    top.remove();
                }
            }
        }
        return top.stream().sorted(order).toList();
    }

    /** {@return the number of skipped lines, without blank lines and directives} */
    public long skipped() {
        return skipped;
    }

    /** {@return the first skipped lines, at most five} */
    public List<SkippedLine> firstSkipped() {
        return firstSkipped;
    }

    /** {@return advice for the user on how to read the skipped lines, such as an option; null if there is none} */
    public @Nullable String hint() {
        return hint;
    }

    /**
     * Passes every request to a consumer, in the order of their times.
     *
     * @param consumer receives the requests
     * @throws IOException if the temporary file cannot be read
     * @throws IllegalStateException if the trace is closed
     */
    public void forEach(EventConsumer consumer) throws IOException {
        if (closed) {
            throw new IllegalStateException("the trace is closed");
        }
        for (int i = 0; i < buffer.size(); i++) {
            consumer.accept(buffer.time(i), buffer.key(i), buffer.permits(i));
        }
        if (file != null) {
            file.forEach(consumer);
        }
    }

    /**
     * Deletes the temporary file, if there is one. The trace cannot be replayed afterwards. Has no effect if it was closed before.
     *
     * @throws IOException if the file cannot be closed
     */
    @Override
    public void close() throws IOException {
        closed = true;
        if (file != null) {
            file.close();
        }
    }
}
