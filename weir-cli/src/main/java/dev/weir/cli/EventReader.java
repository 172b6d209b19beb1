package dev.weir.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A reader of server-sent events. Memory: one line, at most 4 MiB. */
final class EventReader {
    private static final int LONGEST_LINE = 1 << 22;

    private final InputStream in;

    EventReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /**
     * Passes each event to a consumer until the stream ends.
     *
     * @param consumer receives the name of the event and its data
     * @throws IOException if the stream cannot be read, or a line is too long
     */
    void forEach(BiConsumer<String, String> consumer) throws IOException {
        String event = "";
        StringBuilder data = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            if (line.isEmpty()) {
                if (!data.isEmpty()) {
                    consumer.accept(event, data.toString());
                }
                event = "";
                data.setLength(0);
            } else if (line.startsWith("event:")) {
                event = line.substring("event:".length()).strip();
            } else if (line.startsWith("data:") && data.length() + line.length() <= LONGEST_LINE) {
                data.append(line, "data:".length(), line.length()).append('\n');
            }
        }
    }

    /** Returns the next line without its end, or null at the end of the stream. */
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() == LONGEST_LINE) {
                throw new IOException("a line of the stream is longer than 4 MiB");
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
